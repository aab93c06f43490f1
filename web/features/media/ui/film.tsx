import { useEffect, useMemo, useRef } from 'react';
import type { Size } from '#shared/domain/annotations/shape.ts';
import type { MediaAddress } from '../../grid/index.ts';
import { spansOf } from '../model/frame-sets.ts';
import { assumedFrames, frameAt, timeOfFrame } from '../model/frames.ts';
import { wholeView } from '../model/viewport.ts';
import { EditedLayer, useStageTool } from './edited-layer.tsx';
import type { RowStageProps } from './row-stage.tsx';
import { useFrameTimes } from './use-frame-times.ts';
import type { Player } from './use-player.ts';
import { findAnnotation } from './use-shape-tool.ts';
import { type FramePlace, VideoStage } from './video-stage.tsx';

export interface FilmProps extends RowStageProps {
  address: MediaAddress;
  name: string;
  cells: readonly { name: string; value: unknown }[];
}

const farKeys = ['Shift+ArrowRight', 'Shift+ArrowLeft'];

/** A video with the annotations of the frame that is shown, which can be edited while it stands still. */
export function Film(props: FilmProps) {
  const { address, name, isEditing, sets, selected, drawing, view, onView } = props;
  const player = useRef<Player | null>(null);
  const { data: frames = assumedFrames } = useFrameTimes(address.blob);
  const tool = useStageTool(props, props.size);
  const current = findAnnotation(sets, selected);
  const isHeld = isEditing && current !== undefined;
  const isTurned = isHeld && current.shapes.some(({ kind }) => kind === 'rotated');
  const takenKeys = [
    ...(isEditing ? ['[', ']'] : []),
    ...(isHeld ? farKeys : []),
    ...(isTurned ? ['<', '>'] : []),
  ];
  const { annotated } = props;
  const last = annotated.at(-1) ?? 0;
  const spans = useMemo(
    () => spansOf(annotated, Math.max(last, frames.starts?.length ?? 0)),
    [annotated, last, frames],
  );
  const tell = useRef(props.onPlayer);
  tell.current = props.onPlayer;
  useEffect(() => () => tell.current(null), []);
  return (
    <VideoStage
      address={address}
      name={name}
      cells={props.cells}
      onSize={props.onSize}
      onError={() => props.onFailed(address.thumb(768))}
      onPlayer={(now) => {
        player.current = now;
        props.onPlayer(now);
      }}
      view={view}
      onView={onView}
      isTapPlaying={!isEditing && current === undefined}
      takenKeys={takenKeys}
      annotated={spans}
      onDoubleClick={() => {
        if (drawing === 'polygon') tool.finish();
        else if (!isEditing) onView(wholeView);
      }}
      tool={{
        ...tool,
        cursor: tool.cursor ?? (isEditing || view.zoom > 1.01 ? 'grab' : 'pointer'),
        onDown: (pointer) => {
          const isKept = tool.onDown(pointer);
          if (isKept) player.current?.pause();
          return isKept;
        },
      }}
    >
      {(place) => (
        <>
          <Frame
            place={place}
            isEditing={isEditing}
            onFrame={props.onFrame}
            onStage={props.onStage}
            settle={() => {
              const now = player.current;
              const still = now && timeOfFrame(frames, frameAt(frames, now.time));
              if (still !== null && Math.abs(still - now!.time) > 1e-3) now!.seek(still);
            }}
          />
          <EditedLayer
            props={props}
            tool={tool}
            size={place.size}
            placement={place.placement}
            stage={place.stage}
          />
        </>
      )}
    </VideoStage>
  );
}

/** Tells which frame is shown; standing still while it is edited, it stands in the middle of a frame. */
function Frame({
  place: { frame, isPlaying, stage },
  isEditing,
  onFrame,
  onStage,
  settle,
}: {
  place: FramePlace;
  isEditing: boolean;
  onFrame: (frame: number) => void;
  onStage: (size: Size) => void;
  settle: () => void;
}) {
  useEffect(() => onFrame(frame), [frame, onFrame]);
  useEffect(() => onStage(stage), [stage, onStage]);
  const latest = useRef(settle);
  latest.current = settle;
  useEffect(() => {
    if (isEditing && !isPlaying) latest.current();
  }, [isEditing, isPlaying]);
  return null;
}
