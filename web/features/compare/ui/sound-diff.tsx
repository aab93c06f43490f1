import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import type { MediaAddress } from '../../grid/index.ts';
import { formatClock } from '../model/clock.ts';
import { type PlayerSide, playerSides, useTwoPlayers } from '../use-two-players.ts';
import { PlayerControls } from './player-controls.tsx';
import styles from './sound-diff.module.css';

export interface SoundDiffProps {
  label: string;
  before: MediaAddress;
  after: MediaAddress;
  facts: { before: string; after: string };
}

const waveWidthPx = 640;

/** Two sounds as waveforms under one time: both run together, and one of them is heard. */
export function SoundDiff({ label, before, after, facts }: SoundDiffProps) {
  const players = useTwoPlayers();
  const { lengths, longest, at, heard, seek } = players;
  return (
    <div className={styles.sounds}>
      {playerSides.map((side) => (
        <Wave
          key={side}
          label={`${label}, ${side}`}
          side={side}
          facts={side === 'old' ? facts.before : facts.after}
          src={(side === 'old' ? before : after).thumb(waveWidthPx)}
          length={lengths[side]}
          longest={longest}
          at={at}
          isHeard={heard === side}
          onSeek={seek}
        />
      ))}
      <PlayerControls label={label} players={players} />
      {playerSides.map((side) => (
        <audio
          key={side}
          ref={players.refs[side] as RefObject<HTMLAudioElement | null>}
          src={(side === 'old' ? before : after).blob}
          preload="metadata"
          muted={heard !== side}
          onLoadedMetadata={({ currentTarget }) => players.onLength(side, currentTarget.duration)}
          onEnded={() => players.onEnded(side)}
        />
      ))}
    </div>
  );
}

interface WaveProps {
  label: string;
  side: PlayerSide;
  facts: string;
  src: string;
  length: number;
  longest: number;
  at: number;
  isHeard: boolean;
  onSeek: (seconds: number) => void;
}

const stepSeconds = 1;

/** One waveform, as wide as its share of the longer one; a click or arrow keys move the time. */
function Wave({ label, side, facts, src, length, longest, at, isHeard, onSeek }: WaveProps) {
  const share = longest > 0 ? (at / longest) * 100 : 0;
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onSeek(((event.clientX - left) / width) * longest);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -stepSeconds : event.key === 'ArrowRight' ? stepSeconds : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onSeek(at + by);
  };
  return (
    <figure className={styles.figure}>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Time in ${label}`}
        aria-valuemin={0}
        aria-valuemax={Math.round(longest)}
        aria-valuenow={Math.round(at)}
        aria-valuetext={formatClock(at)}
        className={styles.wave}
        data-heard={isHeard}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
      >
        <img
          src={src}
          alt=""
          draggable={false}
          className={styles.picture}
          style={{ width: longest > 0 ? `${(length / longest) * 100}%` : '100%' }}
        />
        <span className={styles.head} style={{ left: `${share}%` }} aria-hidden />
      </div>
      <figcaption className={styles.caption}>
        <span className={side === 'old' ? styles.oldSign : styles.newSign}>{side === 'old' ? '−' : '+'}</span>{' '}
        {side} · {facts}
        {length > 0 && ` · ${formatClock(length)}`}
      </figcaption>
    </figure>
  );
}
