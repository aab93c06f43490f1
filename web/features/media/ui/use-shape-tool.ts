import { useRef, useState } from 'react';
import {
  annotationAt,
  annotationsAt,
  dragHandle,
  type Handle,
  handleAt,
  handlesOf,
  moveShapes,
} from '#shared/domain/annotations/reshape.ts';
import type { Point, Shape, Size } from '#shared/domain/annotations/shape.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import type { AnnotationId } from './annotation-layer.tsx';
import type { StagePointer, StageTool } from './use-stage-pointer.ts';

const paintKinds = ['brush', 'eraser', 'fill'] as const;
export type PaintKind = (typeof paintKinds)[number];
export type DrawKind = 'box' | 'rotated' | 'polygon' | 'points' | PaintKind;

export const isPaintKind = (kind: DrawKind): kind is PaintKind =>
  (paintKinds as readonly DrawKind[]).includes(kind);

export interface ShapeToolOptions {
  sets: readonly AnnotationSet[];
  size: Size;
  selected: AnnotationId | null;
  onSelect: (id: AnnotationId | null) => void;
  isEditing: boolean;
  /** What the pointer draws; null where it selects and moves. */
  drawing: DrawKind | null;
  onDrawn: (shape: Shape) => void;
  /** A keypoint is put here. */
  onPoint: (at: Point) => void;
  onPaint: (kind: PaintKind, points: readonly Point[], isClearing: boolean) => void;
  onReshape: (id: AnnotationId, shapes: readonly Shape[], verb: string) => void;
}

export interface ShapeTool extends StageTool {
  live: (AnnotationId & { shapes: readonly Shape[] }) | null;
  /** The shape that is being drawn. */
  drawn: Shape | null;
  /** What is being painted, and where the brush is. */
  stroke: readonly Point[] | null;
  spot: Point | null;
  finish: () => void;
  cancel: () => void;
}

const reachPx = 8;
const leastSide = 2;
/** A hand that trembles moves nothing. */
const stillPx = 3;

type Grip =
  | { kind: 'move'; id: AnnotationId; from: Point; shapes: readonly Shape[]; beneath: AnnotationId | null }
  | { kind: 'handle'; id: AnnotationId; handle: Handle; shapes: readonly Shape[] }
  | { kind: 'draw'; from: Point }
  | { kind: 'paint'; tool: PaintKind; points: Point[]; isClearing: boolean };

export const findAnnotation = (sets: readonly AnnotationSet[], id: AnnotationId | null) =>
  id === null
    ? undefined
    : sets.find(({ name }) => name === id.set)?.annotations.find(({ index }) => index === id.index);

const verbs: Record<Handle['kind'], string> = {
  edge: 'Resized',
  vertex: 'Reshaped',
  middle: 'Reshaped',
  turn: 'Turned',
};

/** Selecting, moving, resizing and drawing of annotations by the pointer. */
export function useShapeTool(options: ShapeToolOptions): ShapeTool {
  const { sets, size, selected, onSelect, isEditing, drawing, onDrawn, onReshape } = options;
  const [live, setLive] = useState<ShapeTool['live']>(null);
  const [drawn, setDrawn] = useState<Shape | null>(null);
  const [stroke, setStroke] = useState<readonly Point[] | null>(null);
  const [spot, setSpot] = useState<Point | null>(null);
  const [cursor, setCursor] = useState<string | undefined>(undefined);
  const grip = useRef<Grip | null>(null);
  const newest = useRef<readonly Shape[] | null>(null);
  const all = sets.flatMap((set) => set.annotations.map((one) => ({ ...one, set: set.name })));
  const inside = ({ x, y }: Point): Point => ({
    x: Math.max(0, Math.min(size.width, x)),
    y: Math.max(0, Math.min(size.height, y)),
  });
  const handleUnder = ({ at, placement }: StagePointer) => {
    const current = isEditing ? findAnnotation(sets, selected) : undefined;
    if (!current) return null;
    const reach = reachPx / placement.scale;
    return handleAt(handlesOf(current.shapes, 3 * reach), at, reach);
  };
  const boxFrom = (from: Point, to: Point): Shape => {
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
    const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
    return drawing === 'rotated'
      ? { kind: 'rotated', cx: x + width / 2, cy: y + height / 2, width, height, angle: 0 }
      : { kind: 'box', x, y, width, height };
  };
  const polygon = drawn?.kind === 'polygon' ? drawn : null;
  const finish = () => {
    if (polygon && (polygon.rings[0]?.length ?? 0) >= 3) onDrawn(polygon);
    setDrawn(null);
  };
  return {
    live,
    drawn,
    stroke,
    spot: drawing === 'brush' || drawing === 'eraser' ? spot : null,
    finish,
    cancel: () => {
      setDrawn(null);
      setLive(null);
      grip.current = null;
    },
    cursor: drawing === 'brush' || drawing === 'eraser' ? 'none' : drawing ? 'crosshair' : cursor,
    onDown(pointer) {
      const { at, placement } = pointer;
      if (drawing && isPaintKind(drawing)) {
        const { shiftKey } = pointer.event;
        grip.current = { kind: 'paint', tool: drawing, points: [at], isClearing: shiftKey };
        if (drawing !== 'fill') setStroke([at]);
        return true;
      }
      if (drawing === 'points') {
        options.onPoint(inside(at));
        return true;
      }
      if (drawing === 'polygon') {
        const ring = polygon?.rings[0] ?? [];
        const [first] = ring;
        const isClosing =
          first && ring.length >= 3 && Math.hypot(first.x - at.x, first.y - at.y) * placement.scale < reachPx;
        if (isClosing) finish();
        else setDrawn({ kind: 'polygon', rings: [[...ring, inside(at)]] });
        return true;
      }
      if (drawing) {
        grip.current = { kind: 'draw', from: inside(at) };
        return true;
      }
      const current = findAnnotation(sets, selected);
      const handle = handleUnder(pointer);
      if (handle && current && selected) {
        grip.current = { kind: 'handle', id: selected, handle: handle.handle, shapes: current.shapes };
        return true;
      }
      const under = annotationsAt(all, at, reachPx / placement.scale);
      const held = under.findIndex(({ set, index }) => set === selected?.set && index === selected.index);
      const next = under[(held + 1) % under.length];
      const beneath = next ? { set: next.set, index: next.index } : null;
      const found = isEditing && held >= 0 ? under[held] : next;
      if (!isEditing || !found || held < 0) onSelect(beneath);
      if (!found || !isEditing) return false;
      grip.current = {
        kind: 'move',
        id: { set: found.set, index: found.index },
        from: at,
        shapes: found.shapes,
        beneath: held >= 0 ? beneath : null,
      };
      return true;
    },
    onMove({ at, placement }) {
      const held = grip.current;
      if (!held) return;
      if (held.kind === 'paint') {
        if (held.tool === 'fill') return;
        held.points.push(at);
        setStroke([...held.points]);
        setSpot(at);
        return;
      }
      if (held.kind === 'draw') {
        setDrawn(boxFrom(held.from, inside(at)));
        return;
      }
      const isStill =
        held.kind === 'move' &&
        newest.current === null &&
        Math.hypot(at.x - held.from.x, at.y - held.from.y) * placement.scale < stillPx;
      if (isStill) return;
      const shapes =
        held.kind === 'move'
          ? moveShapes(held.shapes, { x: at.x - held.from.x, y: at.y - held.from.y }, size)
          : dragHandle(held.shapes, { handle: held.handle, to: at, size });
      newest.current = shapes;
      setLive({ ...held.id, shapes });
    },
    onUp({ at, placement }) {
      const held = grip.current;
      grip.current = null;
      if (!held) return;
      if (held.kind === 'paint') {
        setStroke(null);
        options.onPaint(held.tool, held.points, held.isClearing);
        return;
      }
      if (held.kind === 'draw') {
        const shape = boxFrom(held.from, inside(at));
        setDrawn(null);
        const isLarge =
          'width' in shape &&
          shape.width * placement.scale >= leastSide &&
          shape.height * placement.scale >= leastSide;
        if (isLarge) onDrawn(shape);
        return;
      }
      const shapes = newest.current;
      newest.current = null;
      setLive(null);
      if (!shapes && held.kind === 'move' && held.beneath) onSelect(held.beneath);
      if (shapes) onReshape(held.id, shapes, held.kind === 'move' ? 'Moved' : verbs[held.handle.kind]);
    },
    onHover(pointer) {
      if (drawing && isPaintKind(drawing)) setSpot(pointer.at);
      if (!isEditing || drawing) return;
      const handle = handleUnder(pointer);
      const isOver = !handle && annotationAt(all, pointer.at, reachPx / pointer.placement.scale) !== null;
      setCursor(handle ? 'crosshair' : isOver ? 'move' : undefined);
    },
  };
}
