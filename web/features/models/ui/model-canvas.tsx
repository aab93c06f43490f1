import { type PointerEvent as ReactPointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Orbit } from '#shared/domain/models/orbit.ts';
import { ModelView } from '../model/model-view.ts';
import { fitOrbit, type Ground, panOrbit, turnOrbit, zoomOrbit } from '../model/orbit-moves.ts';
import type { LoadedModel } from '../model/worker-messages.ts';
import type { ModelLook } from '../store.ts';
import styles from './models.module.css';

export interface ModelCanvasProps {
  model: LoadedModel;
  label: string;
  look: ModelLook;
  orbit: Orbit;
  onOrbit: (orbit: Orbit) => void;
  onNoWebGl: () => void;
  onLost: (isLost: boolean) => void;
}

/** While it moves, a cloud is thinned until a picture takes no longer than this. */
const smoothMs = 50;
const restMs = 180;
const leastShare = 0.03;

/** The model itself: drawn when something changes, turned, moved and zoomed by mouse and fingers. */
export function ModelCanvas({ model, label, look, orbit, onOrbit, onNoWebGl, onLost }: ModelCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useRef<ModelView | null>(null);
  const latest = useRef({ orbit, onOrbit, onNoWebGl, onLost });
  latest.current = { orbit, onOrbit, onNoWebGl, onLost };
  const [ground, setGround] = useState<Ground>({ width: 0, height: 0 });
  const pace = useRef({ share: 1, movedAt: 0, frame: 0, timer: 0 });

  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const read = () => setGround({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(read);
    observer.observe(element);
    read();
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    let made: ModelView;
    try {
      made = new ModelView(element, model);
    } catch {
      latest.current.onNoWebGl();
      return;
    }
    view.current = made;
    const onContextLost = (event: Event) => {
      event.preventDefault();
      latest.current.onLost(true);
    };
    const onContextBack = () => {
      latest.current.onLost(false);
      setGround((before) => ({ ...before }));
    };
    element.addEventListener('webglcontextlost', onContextLost);
    element.addEventListener('webglcontextrestored', onContextBack);
    return () => {
      element.removeEventListener('webglcontextlost', onContextLost);
      element.removeEventListener('webglcontextrestored', onContextBack);
      view.current = null;
      made.dispose();
      setTimeout(() => giveBack(element), 0);
    };
  }, [model]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another model has another view, which is looked at in the same way
  useEffect(() => {
    const now = pace.current;
    const draw = () => {
      const shown = view.current;
      if (!shown || ground.width === 0) return;
      const isMoving = performance.now() - now.movedAt < restMs;
      shown.resize(ground);
      shown.setLook(look);
      const begun = performance.now();
      shown.draw(latest.current.orbit, isMoving ? now.share : 1);
      if (!isMoving) return;
      requestAnimationFrame(() => {
        const tookMs = performance.now() - begun;
        if (tookMs > smoothMs) now.share = Math.max(leastShare, now.share * Math.max(0.3, smoothMs / tookMs));
      });
      clearTimeout(now.timer);
      now.timer = window.setTimeout(() => {
        now.frame = requestAnimationFrame(draw);
      }, restMs + 20);
    };
    cancelAnimationFrame(now.frame);
    now.frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(now.frame);
  }, [model, look, orbit, ground]);
  useEffect(() => () => clearTimeout(pace.current.timer), []);

  const move = (next: Orbit) => {
    pace.current.movedAt = performance.now();
    latest.current.orbit = next;
    onOrbit(next);
  };
  const hands = useHands({ canvas, ground, latest, move });
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      className={styles.canvas}
      onContextMenu={(event) => event.preventDefault()}
      onDoubleClick={() => move(fitOrbit(latest.current.orbit))}
      {...hands}
    />
  );
}

/** Browsers keep a few contexts only: that of a canvas which is gone is given back at once. */
function giveBack(canvas: HTMLCanvasElement): void {
  if (!canvas.isConnected) canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
}

interface Hands {
  canvas: React.RefObject<HTMLCanvasElement | null>;
  ground: Ground;
  latest: React.RefObject<{ orbit: Orbit }>;
  move: (orbit: Orbit) => void;
}

/** One pointer turns, with Shift or another button it moves; the wheel and two fingers zoom. */
function useHands({ canvas, ground, latest, move }: Hands) {
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const doing = useRef<'turn' | 'pan'>('turn');
  const kept = useRef({ ground, move });
  kept.current = { ground, move };
  const fromMiddle = (x: number, y: number) => {
    const rect = canvas.current!.getBoundingClientRect();
    return { x: x - rect.left - rect.width / 2, y: y - rect.top - rect.height / 2 };
  };
  const middleOf = useRef(fromMiddle);
  middleOf.current = fromMiddle;
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018));
      const place = { at: middleOf.current(event.clientX, event.clientY), ground: kept.current.ground };
      kept.current.move(zoomOrbit(latest.current.orbit, factor, place));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas, latest]);

  const onPointerMove = (event: ReactPointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const at = { x: event.clientX, y: event.clientY };
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    const { orbit } = latest.current;
    const by = { dx: at.x - before.x, dy: at.y - before.y };
    fingers.current.set(event.pointerId, at);
    if (other) {
      const far = (one: { x: number; y: number }) =>
        Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
      const panned = panOrbit(orbit, { dx: by.dx / 2, dy: by.dy / 2 }, ground);
      const place = { at: fromMiddle((at.x + other.x) / 2, (at.y + other.y) / 2), ground };
      move(zoomOrbit(panned, far(at) / far(before), place));
    } else move(doing.current === 'pan' ? panOrbit(orbit, by, ground) : turnOrbit(orbit, by));
  };
  const onPointerUp = (event: ReactPointerEvent) => fingers.current.delete(event.pointerId);
  return {
    onPointerDown: (event: ReactPointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      doing.current = event.button !== 0 || event.shiftKey ? 'pan' : 'turn';
    },
    onPointerMove,
    onPointerUp,
    onPointerCancel: onPointerUp,
  };
}
