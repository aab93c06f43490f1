import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import type { FrameSpan } from '../model/frame-sets.ts';
import { type FrameTimes, startOfFrame } from '../model/frames.ts';
import { formatClock, type TimeMark } from '../model/time.ts';
import styles from './player.module.css';
import type { Player } from './use-player.ts';

/** The time line of a player: seek, loop, marks; `preview` is shown over the pointer. */
export function TimeBar({
  player,
  marks = [],
  preview,
  stepSeconds,
  annotated,
  frames,
}: {
  player: Player;
  marks?: readonly TimeMark[];
  preview?: (seconds: number) => ReactNode;
  stepSeconds: number;
  /** Frames that have annotations. */
  annotated?: readonly FrameSpan[];
  frames?: FrameTimes;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState<number | null>(null);
  const { duration, time, loop } = player;
  const whole = Number.isFinite(duration) && duration > 0 ? duration : 1;
  const percent = (at: number) => `${Math.max(0, Math.min(100, (at / whole) * 100))}%`;
  const secondsAt = (event: PointerEvent): number => {
    const rect = bar.current!.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - rect.left) / rect.width)) * whole;
  };
  const onPointer = (event: PointerEvent) => {
    const at = secondsAt(event);
    setOver(at);
    if (event.buttons === 1 && bar.current?.hasPointerCapture(event.pointerId)) player.seek(at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -stepSeconds, ArrowRight: stepSeconds, PageUp: 10, PageDown: -10 }[event.key];
    if (by !== undefined) player.seek(time + by);
    else if (event.key === 'Home') player.seek(0);
    else if (event.key === 'End') player.seek(whole);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={bar}
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-valuemin={0}
      aria-valuemax={whole}
      aria-valuenow={time}
      aria-valuetext={`${formatClock(time)} of ${formatClock(duration)}`}
      className={styles.bar}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        player.seek(secondsAt(event));
      }}
      onPointerMove={onPointer}
      onPointerLeave={() => setOver(null)}
      onKeyDown={onKeyDown}
    >
      <div className={styles.track}>
        {(loop.from !== null || loop.to !== null) && (
          <span
            className={styles.loop}
            style={{ left: percent(loop.from ?? 0), right: `calc(100% - ${percent(loop.to ?? whole)})` }}
          />
        )}
        <span className={styles.played} style={{ width: percent(time) }} />
        {marks.map(({ column, from, to }) => (
          <span
            key={`${column} ${from} ${to}`}
            className={to === null ? styles.mark : styles.span}
            style={
              to === null
                ? { left: percent(from) }
                : { left: percent(from), right: `calc(100% - ${percent(to)})` }
            }
            title={`${column}: ${formatClock(from)}${to === null ? '' : ` to ${formatClock(to)}`}`}
          />
        ))}
        {frames &&
          annotated?.map(({ from, to }) => (
            <span
              key={from}
              className={styles.annotated}
              style={{
                left: percent(startOfFrame(frames, from)),
                right: `calc(100% - ${percent(startOfFrame(frames, to + 1))})`,
              }}
              title={from === to ? `Annotated: frame ${from}` : `Annotated: frames ${from} to ${to}`}
            />
          ))}
        <span className={styles.knob} style={{ left: percent(time) }} />
      </div>
      {over !== null && (
        <div className={styles.preview} style={{ left: `clamp(70px, ${percent(over)}, calc(100% - 70px))` }}>
          {preview?.(over)}
          <span>{formatClock(over)}</span>
        </div>
      )}
    </div>
  );
}
