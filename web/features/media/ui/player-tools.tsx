import { Pause, Play, Repeat, StepBack, StepForward } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../../../ui/format-quantity.ts';
import { IconButton, Select, Spacer } from '../../../ui/index.ts';
import { formatClock, noLoop } from '../model/time.ts';
import styles from './player.module.css';
import type { Player } from './use-player.ts';

const rates = ['0.1', '0.25', '0.5', '0.75', '1', '1.25', '1.5', '2', '3', '4'];

/** Play, frame steps, speed and loop. */
export function PlayerTools({
  player,
  frame,
  stepFrame,
  children,
}: {
  player: Player;
  /** The frame that is shown, from 0. */
  frame?: number;
  stepFrame?: (by: number) => void;
  children?: ReactNode;
}) {
  const { loop } = player;
  const hasLoop = loop.from !== null || loop.to !== null;
  return (
    <div className={styles.tools}>
      <IconButton
        label={player.isPlaying ? 'Pause' : 'Play'}
        keys="Space"
        icon={player.isPlaying ? <Pause /> : <Play />}
        onClick={player.toggle}
      />
      {stepFrame && (
        <>
          <IconButton
            label="Previous frame"
            keys=","
            size="s"
            icon={<StepBack />}
            onClick={() => stepFrame(-1)}
          />
          <IconButton
            label="Next frame"
            keys="."
            size="s"
            icon={<StepForward />}
            onClick={() => stepFrame(1)}
          />
        </>
      )}
      <span className={styles.clock}>
        {formatClock(player.time)} / {formatClock(player.duration)}
        {frame !== undefined && ` · frame ${formatCount(frame)}`}
      </span>
      {children}
      <Spacer />
      <IconButton
        label="Loop from here"
        keys="["
        size="s"
        icon={<span className={styles.letter}>A</span>}
        onClick={() => player.setLoopEnd('from')}
      />
      <IconButton
        label="Loop to here"
        keys="]"
        size="s"
        icon={<span className={styles.letter}>B</span>}
        onClick={() => player.setLoopEnd('to')}
      />
      <IconButton
        label="No loop"
        keys="\"
        size="s"
        icon={<Repeat />}
        isPressed={hasLoop}
        isDisabled={!hasLoop}
        onClick={() => player.setLoop(noLoop)}
      />
      <Select
        label="Speed"
        isQuiet
        value={String(player.rate)}
        options={rates.map((rate) => ({ value: rate, label: `${rate} ×` }))}
        onChange={(rate) => player.setRate(Number(rate))}
      />
    </div>
  );
}
