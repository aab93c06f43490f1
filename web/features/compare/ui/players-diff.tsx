import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../../ui/index.ts';
import type { MediaAddress } from '../../grid/index.ts';
import styles from './picture-diff.module.css';

export interface PlayersDiffProps {
  kind: 'audio' | 'video';
  label: string;
  before: MediaAddress;
  after: MediaAddress;
  facts: { before: string; after: string };
}

/** Two players that can run in step: where one is moved to, the other follows. */
export function PlayersDiff({ kind, label, before, after, facts }: PlayersDiffProps) {
  const old = useRef<HTMLMediaElement>(null);
  const next = useRef<HTMLMediaElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const playBoth = () => {
    const players = [old.current, next.current].filter((player) => player !== null);
    if (isPlaying) for (const player of players) player.pause();
    else {
      const at = Math.min(...players.map((player) => player.currentTime));
      for (const player of players) {
        player.currentTime = at;
        void player.play().catch(() => setPlaying(false));
      }
    }
    setPlaying(!isPlaying);
  };
  const follow = (moved: HTMLMediaElement | null, other: HTMLMediaElement | null) => {
    if (moved && other && isPlaying && Math.abs(moved.currentTime - other.currentTime) > 0.2)
      other.currentTime = moved.currentTime;
  };
  const player = (side: 'old' | 'new') => {
    const Tag = kind;
    const isOld = side === 'old';
    return (
      <Tag
        ref={(element: HTMLMediaElement | null) => {
          (isOld ? old : next).current = element;
        }}
        aria-label={`${label}, ${side}`}
        src={(isOld ? before : after).blob}
        controls
        preload="metadata"
        muted={isPlaying && !isOld}
        onSeeked={() => follow(isOld ? old.current : next.current, isOld ? next.current : old.current)}
        onEnded={() => setPlaying(false)}
        className={kind === 'video' ? styles.video : styles.audio}
      />
    );
  };
  return (
    <div className={styles.players}>
      <figure className={styles.player}>
        {player('old')}
        <figcaption className={styles.caption}>
          <span className={styles.oldSign}>−</span> old · {facts.before}
        </figcaption>
      </figure>
      <figure className={styles.player}>
        {player('new')}
        <figcaption className={styles.caption}>
          <span className={styles.newSign}>+</span> new · {facts.after}
        </figcaption>
      </figure>
      <Button
        size="s"
        icon={isPlaying ? <Pause /> : <Play />}
        onClick={playBoth}
        tip={isPlaying ? undefined : 'From the same moment; the old one is heard'}
      >
        {isPlaying ? 'Pause both' : 'Play both'}
      </Button>
    </div>
  );
}
