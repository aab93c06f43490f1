import { Pause, Play } from 'lucide-react';
import { Button, Segmented, Slider } from '../../../ui/index.ts';
import { formatClock } from '../model/clock.ts';
import type { TwoPlayers } from '../use-two-players.ts';
import styles from './sound-diff.module.css';

export interface PlayerControlsProps {
  label: string;
  players: TwoPlayers;
  /** A slider for the time, where nothing else moves it. */
  hasSlider?: boolean;
}

/** Play, which side is heard, and the shared time. */
export function PlayerControls({ label, players, hasSlider }: PlayerControlsProps) {
  const { isPlaying, play, heard, setHeard, at, longest, seek } = players;
  return (
    <div className={styles.controls}>
      <Button size="s" icon={isPlaying ? <Pause /> : <Play />} onClick={() => play(!isPlaying)}>
        {isPlaying ? 'Pause both' : 'Play both'}
      </Button>
      <Segmented
        label={`Which ${label} is heard`}
        value={heard}
        options={[
          { value: 'old', label: 'Hear old' },
          { value: 'new', label: 'Hear new' },
        ]}
        onChange={setHeard}
      />
      {hasSlider && longest > 0 && (
        <Slider
          label={`Time in ${label}`}
          className={styles.slider}
          value={at}
          min={0}
          max={longest}
          step={0.04}
          onChange={seek}
        />
      )}
      <span className={styles.time}>
        {formatClock(at)} / {formatClock(longest)}
      </span>
    </div>
  );
}
