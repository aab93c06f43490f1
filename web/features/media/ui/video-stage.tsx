import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Size } from '#shared/domain/annotations/shape.ts';
import type { MediaAddress } from '../../grid/index.ts';
import { assumedFrames, frameAt, timeOfFrame } from '../model/frames.ts';
import { readMarks, type TimeMark } from '../model/time.ts';
import styles from './player.module.css';
import { PlayerTools } from './player-tools.tsx';
import { TimeBar } from './time-bar.tsx';
import { useFrameTimes } from './use-frame-times.ts';
import { type Player, usePlayer, usePlayerKeys } from './use-player.ts';

export interface VideoStageProps {
  address: MediaAddress;
  name: string;
  /** Cells of the row that may tell times. */
  cells: readonly { name: string; value: unknown }[];
  onSize: (size: Size) => void;
  onError: () => void;
  /** Drawn over the frame, in the same place as the video. */
  children?: (place: { size: Size; time: number; frame: number; rate: number }) => ReactNode;
  /** Plays along with others: told each change, and given the moves. */
  onPlayer?: (player: Player) => void;
  hasKeys?: boolean;
}

/** A video with single frames, speed, a loop from A to B, a preview while seeking, and marks from the row’s times. */
export function VideoStage({
  address,
  name,
  cells,
  onSize,
  onError,
  children,
  onPlayer,
  hasKeys = true,
}: VideoStageProps) {
  const video = useRef<HTMLVideoElement>(null);
  const player = usePlayer(video);
  const [size, setSize] = useState<Size | null>(null);
  const { data: frames = assumedFrames } = useFrameTimes(address.blob);
  const { rate } = frames;
  const frame = frameAt(frames, player.time);
  const stepFrame = (by: number) => player.seek(timeOfFrame(frames, frame + by));
  const marks: TimeMark[] = Number.isFinite(player.duration) ? readMarks(cells, player.duration) : [];
  const tell = useRef(onPlayer);
  tell.current = onPlayer;
  useEffect(() => tell.current?.(player));
  return (
    <div className={styles.player}>
      {hasKeys && <Keys player={player} stepFrame={stepFrame} />}
      <div className={styles.screen}>
        {/* biome-ignore lint/a11y/useMediaCaption: videos of the person's own data have no captions */}
        <video
          ref={video}
          className={styles.video}
          src={address.blob}
          poster={address.thumb(1024)}
          aria-label={name}
          playsInline
          preload="auto"
          onClick={player.toggle}
          onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) => {
            const next = { width: videoWidth, height: videoHeight };
            setSize(next);
            onSize(next);
          }}
          onError={onError}
        />
        {size && children?.({ size, time: player.time, frame, rate })}
      </div>
      <TimeBar
        player={player}
        marks={marks}
        stepSeconds={1 / rate}
        preview={(seconds) => <SeekPreview src={address.blob} seconds={seconds} />}
      />
      <PlayerTools player={player} frame={frame} stepFrame={stepFrame}>
        <span className={styles.faint}>
          {Number(rate.toFixed(2))} frames a second
          {frames.isAssumed ? ', assumed' : frames.starts ? '' : ' on average'}
        </span>
      </PlayerTools>
    </div>
  );
}

function Keys({ player, stepFrame }: { player: Player; stepFrame: (by: number) => void }) {
  usePlayerKeys(player, stepFrame);
  return null;
}

/** The frame under the pointer, from a second, silent video. */
function SeekPreview({ src, seconds }: { src: string; seconds: number }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (!element || element.seeking) return;
    element.currentTime = seconds;
  }, [seconds]);
  return (
    <video
      ref={video}
      className={styles.previewVideo}
      src={src}
      muted
      playsInline
      preload="auto"
      aria-hidden
      onSeeked={({ currentTarget }) => {
        if (Math.abs(currentTarget.currentTime - seconds) > 0.2) currentTarget.currentTime = seconds;
      }}
    />
  );
}
