import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Size } from '#shared/domain/annotations/shape.ts';
import { type Placement, panView, placeView, type View, zoomBy } from '../model/viewport.ts';

/** The size of an element, followed. */
export function useElementSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const read = () =>
      setSize((before) =>
        before.width === target.clientWidth && before.height === target.clientHeight
          ? before
          : { width: target.clientWidth, height: target.clientHeight },
      );
    const observer = new ResizeObserver(read);
    observer.observe(target);
    read();
    return () => observer.disconnect();
  }, [element]);
  return size;
}

export interface StageOptions {
  ground: RefObject<HTMLElement | null>;
  picture: Size | null;
  view: View;
  onView: (view: View) => void;
}

const noPicture: Size = { width: 1, height: 1 };

/** Zooming by wheel and by two fingers, and where the picture stands because of it. */
export function useStage({ ground, picture, view, onView }: StageOptions): {
  stage: Size;
  placement: Placement;
  pan: (dx: number, dy: number) => void;
  /** Follows fingers; true while two of them zoom. */
  touch: (event: PointerEvent, phase: 'down' | 'move' | 'up') => boolean;
} {
  const stage = useElementSize(ground);
  const size = picture ?? noPicture;
  const latest = useRef({ view, size, stage, onView });
  latest.current = { view, size, stage, onView };
  useEffect(() => {
    const element = ground.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const now = latest.current;
      const rect = element.getBoundingClientRect();
      const at = { x: event.clientX - rect.left, y: event.clientY - rect.top };
      const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018));
      now.onView(zoomBy(now.view, { picture: now.size, stage: now.stage }, factor, at));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [ground]);
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const touch = (event: PointerEvent, phase: 'down' | 'move' | 'up'): boolean => {
    const known = fingers.current;
    const before = [...known.values()];
    if (phase === 'up') known.delete(event.pointerId);
    else if (phase === 'down' || known.has(event.pointerId))
      known.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = [...known.values()];
    const [a, b] = before;
    const [c, d] = after;
    if (phase === 'move' && a && b && c && d) {
      const rect = ground.current!.getBoundingClientRect();
      const factor = Math.hypot(c.x - d.x, c.y - d.y) / Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
      const on = { picture: size, stage };
      const moved = panView(view, on, { x: (c.x + d.x - a.x - b.x) / 2, y: (c.y + d.y - a.y - b.y) / 2 });
      onView(zoomBy(moved, on, factor, { x: (c.x + d.x) / 2 - rect.left, y: (c.y + d.y) / 2 - rect.top }));
    }
    return known.size > 1;
  };
  return {
    stage,
    placement: placeView(view, size, stage),
    pan: (x, y) => onView(panView(view, { picture: size, stage }, { x, y })),
    touch,
  };
}
