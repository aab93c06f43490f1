import { type PointerEvent as ReactPointerEvent, type RefObject, useRef } from 'react';
import type { Point, Size } from '#shared/domain/annotations/shape.ts';
import { type Placement, toPicture, type View } from '../model/viewport.ts';
import { useStage } from './use-stage.ts';

export interface StagePointer {
  /** In pixels of the picture. */
  at: Point;
  placement: Placement;
  event: ReactPointerEvent;
}

/** What takes the pointer before the picture is moved by it; true keeps it. */
export interface StageTool {
  onDown: (pointer: StagePointer) => boolean;
  onMove: (pointer: StagePointer) => void;
  onUp: (pointer: StagePointer) => void;
  onHover?: (pointer: StagePointer) => void;
  cursor?: string;
}

export interface StagePointerOptions {
  ground: RefObject<HTMLElement | null>;
  /** Of the picture; null until it is known. */
  size: Size | null;
  view: View;
  onView: (view: View) => void;
  tool?: StageTool | null;
  /** Each move over the stage. */
  onOver?: (pointer: StagePointer) => void;
  /** Pressed and let go in one place, where no tool kept it. */
  onTap?: (pointer: StagePointer) => void;
}

const tapPx = 4;

/** The pointer on a stage: it zooms and moves the picture, unless a tool keeps it. */
export function useStagePointer({ ground, size, view, onView, tool, onOver, onTap }: StagePointerOptions) {
  const { stage, placement, pan, touch } = useStage({ ground, picture: size, view, onView });
  const drag = useRef<'pan' | 'tool' | null>(null);
  const down = useRef<Point | null>(null);
  const pointer = (event: ReactPointerEvent): StagePointer => {
    const rect = ground.current!.getBoundingClientRect();
    return {
      at: toPicture(placement, { x: event.clientX - rect.left, y: event.clientY - rect.top }),
      placement,
      event,
    };
  };
  const onPointerDown = (event: ReactPointerEvent) => {
    if (event.button > 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    down.current = { x: event.clientX, y: event.clientY };
    if (touch(event.nativeEvent, 'down')) {
      drag.current = 'pan';
      return;
    }
    drag.current = event.button === 0 && size && tool?.onDown(pointer(event)) ? 'tool' : 'pan';
  };
  const onPointerMove = (event: ReactPointerEvent) => {
    if (size) onOver?.(pointer(event));
    if (touch(event.nativeEvent, 'move')) return;
    if (drag.current === 'pan') pan(event.movementX, event.movementY);
    else if (drag.current === 'tool') tool?.onMove(pointer(event));
    else if (size) tool?.onHover?.(pointer(event));
  };
  const onPointerUp = (event: ReactPointerEvent) => {
    touch(event.nativeEvent, 'up');
    const from = down.current;
    const isTap =
      from !== null &&
      event.type === 'pointerup' &&
      event.button === 0 &&
      Math.hypot(event.clientX - from.x, event.clientY - from.y) < tapPx;
    if (drag.current === 'tool') tool?.onUp(pointer(event));
    else if (isTap) onTap?.(pointer(event));
    drag.current = null;
    down.current = null;
  };
  return {
    stage,
    placement,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp },
  };
}
