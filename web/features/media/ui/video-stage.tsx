import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Size } from '#shared/domain/annotations/shape.ts';
import type { MediaAddress } from '../../grid/index.ts';
import type { FrameSpan } from '../model/frame-sets.ts';
import { assumedFrames, frameAt, timeOfFrame } from '../model/frames.ts';
import { readMarks, type TimeMark } from '../model/time.ts';
import { type Placement, type View, wholeView } from '../model/viewport.ts';
import pictureStyles from './picture-stage.module.css';
import styles from './player.module.css';
import { PlayerTools } from './player-tools.tsx';
import { TimeBar } from './time-bar.tsx';
import { useFrameTimes } from './use-frame-times.ts';
import { type Player, usePlayer, usePlayerKeys } from './use-player.ts';
import { type StageTool, useStagePointer } from './use-stage-pointer.ts';

export interface VideoStageProps {
  address: MediaAddress;
  name: string;
  /** Cells of the row that may tell times. */
  cells: readonly { name: string; value: unknown }[];
  onSize: (size: Size) => void;
  onError: () => void;
  /** Drawn over the frame, in the same place as the video. */
  children?: (place: FramePlace) => ReactNode;
  /** Plays along with others: told each change, and given the moves. */
  onPlayer?: (player: Player) => void;
  hasKeys?: boolean;
  /** How the frame is looked at; whole without. */
  view?: View;
  onView?: (view: View) => void;
  /** What takes the pointer before the frame is moved by it. */
  tool?: StageTool | null;
  onDoubleClick?: () => void;
  /** A press on the frame plays and pauses. */
  isTapPlaying?: boolean;
  /** Keys of the player that mean something else meanwhile. */
  takenKeys?: readonly string[];
  /** Frames that have annotations, for the time line. */
  annotated?: readonly FrameSpan[];
}

/** What is shown of a video, and where on the stage. */
export interface FramePlace {
  size: Size;
  frame: number;
  isPlaying: boolean;
  placement: Placement;
  stage: Size;
}

const noView = () => undefined;

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
  view = wholeView,
  onView = noView,
  tool,
  isTapPlaying = true,
  takenKeys,
  annotated,
  onDoubleClick,
}: VideoStageProps) {
  const ground = useRef<HTMLDivElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const player = usePlayer(video);
  const [size, setSize] = useState<Size | null>(null);
  const { data: frames = assumedFrames } = useFrameTimes(address.blob);
  const { rate } = frames;
  const frame = frameAt(frames, player.time);
  const stepFrame = (by: number) => player.seek(timeOfFrame(frames, frame + by));
  const { stage, placement, handlers } = useStagePointer({
    ground,
    size,
    view,
    onView,
    tool,
    onTap: () => isTapPlaying && player.toggle(),
  });
  const placed = size && {
    width: size.width,
    height: size.height,
    transform: `translate(${placement.x}px, ${placement.y}px) scale(${placement.scale})`,
  };
  const marks: TimeMark[] = Number.isFinite(player.duration) ? readMarks(cells, player.duration) : [];
  const measure = ({ videoWidth: width, videoHeight: height }: HTMLVideoElement) => {
    if (width === 0 || height === 0) return;
    setSize({ width, height });
    onSize({ width, height });
  };
  const onMounted = useRef(measure);
  // What a video says of itself may come before React listens.
  useEffect(() => {
    if (video.current && video.current.readyState > 0) onMounted.current(video.current);
  }, []);
  const tell = useRef(onPlayer);
  tell.current = onPlayer;
  useEffect(() => tell.current?.(player));
  return (
    <div className={styles.player}>
      {hasKeys && <Keys player={player} stepFrame={stepFrame} taken={takenKeys} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys do the same, see the sheet of shortcuts */}
      <div
        ref={ground}
        className={styles.screen}
        style={{ cursor: tool?.cursor }}
        {...handlers}
        onDoubleClick={onDoubleClick}
      >
        {/* biome-ignore lint/a11y/useMediaCaption: videos of the person's own data have no captions */}
        <video
          ref={video}
          className={placed ? pictureStyles.picture : styles.video}
          style={placed ?? undefined}
          src={address.blob}
          poster={address.thumb(1024)}
          aria-label={name}
          playsInline
          preload="auto"
          onLoadedMetadata={({ currentTarget }) => measure(currentTarget)}
          onError={onError}
        />
        {size && children?.({ size, frame, isPlaying: player.isPlaying, placement, stage })}
      </div>
      <TimeBar
        player={player}
        marks={marks}
        annotated={annotated}
        frames={frames}
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

function Keys({
  player,
  stepFrame,
  taken,
}: {
  player: Player;
  stepFrame: (by: number) => void;
  taken?: readonly string[];
}) {
  usePlayerKeys(player, stepFrame, taken);
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
