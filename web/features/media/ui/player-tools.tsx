import { Pause, Play, Repeat, StepBack, StepForward } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton, Select, Spacer } from '../../../ui/index.ts';
import { formatClock, noLoop } from '../model/time.ts';
import styles from './player.module.css';
import type { Player } from './use-player.ts';

const rates = ['0.1', '0.25', '0.5', '0.75', '1', '1.25', '1.5', '2', '3', '4'];

/** Play, frame steps, speed and loop. */
export function PlayerTools({
  player,
  frameSeconds,
  children,
}: {
  player: Player;
  frameSeconds: number | null;
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
      {frameSeconds !== null && (
        <>
          <IconButton
            label="Previous frame"
            keys=","
            size="s"
            icon={<StepBack />}
            onClick={() => player.seek(player.time - frameSeconds)}
          />
          <IconButton
            label="Next frame"
            keys="."
            size="s"
            icon={<StepForward />}
            onClick={() => player.seek(player.time + frameSeconds)}
          />
        </>
      )}
      <span className={styles.clock}>
        {formatClock(player.time)} / {formatClock(player.duration)}
        {frameSeconds !== null && ` · frame ${Math.floor(player.time / frameSeconds + 0.001)}`}
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
