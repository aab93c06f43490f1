import type { RefObject } from 'react';
import { playerSides, useTwoPlayers } from '../use-two-players.ts';
import styles from './picture-diff.module.css';
import { PlayerControls } from './player-controls.tsx';
import type { SoundDiffProps } from './sound-diff.tsx';

/** Two films in step: one time, one play button, a frame at a time by the arrow keys of the slider. */
export function PlayersDiff({ label, before, after, facts }: SoundDiffProps) {
  const players = useTwoPlayers();
  return (
    <div className={styles.films}>
      <div className={styles.players}>
        {playerSides.map((side) => (
          <figure key={side} className={styles.player}>
            <video
              ref={players.refs[side] as RefObject<HTMLVideoElement | null>}
              aria-label={`${label}, ${side}`}
              src={(side === 'old' ? before : after).blob}
              preload="metadata"
              playsInline
              muted={players.heard !== side}
              className={styles.video}
              onClick={() => players.play(!players.isPlaying)}
              onLoadedMetadata={({ currentTarget }) => players.onLength(side, currentTarget.duration)}
              onEnded={() => players.onEnded(side)}
            />
            <figcaption className={styles.caption}>
              <span className={side === 'old' ? styles.oldSign : styles.newSign}>
                {side === 'old' ? '−' : '+'}
              </span>{' '}
              {side} · {side === 'old' ? facts.before : facts.after}
            </figcaption>
          </figure>
        ))}
      </div>
      <PlayerControls label={label} players={players} hasSlider />
    </div>
  );
}
