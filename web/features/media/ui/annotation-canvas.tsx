import { useLayoutEffect, useRef } from 'react';
import type { GeometryLayout } from '#shared/domain/annotations/layout.ts';
import { boundsOfAll } from '#shared/domain/annotations/measure.ts';
import {
  type BoxShape,
  cornersOf,
  type Point,
  type Shape,
  type Size,
} from '#shared/domain/annotations/shape.ts';
import { placedLines, skeletonOf } from '#shared/domain/annotations/skeleton.ts';
import { nameOf, type PaintRules, paintOf } from '../model/annotation-paint.ts';
import type { AnnotationSet } from '../model/annotation-sets.ts';
import styles from './annotation-layer.module.css';
import { useElementSize } from './use-stage.ts';

/** Names in one view beyond which they would hide the picture. */
export const mostNames = 150;

const namePx = 11;

export interface AnnotationCanvasProps extends PaintRules {
  sets: readonly AnnotationSet[];
  /** The part of the picture that is seen. */
  box: Point & Size;
  hasNames: boolean;
  /** Drawn elsewhere: the selected one. */
  isElsewhere: (set: string, index: number) => boolean;
}

/** Very many annotations on a canvas, at the screen’s own pixels whatever the zoom; only what is in view is drawn. */
export function AnnotationCanvas(props: AnnotationCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useElementSize(canvas);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width === 0 || height === 0) return;
    const density = globalThis.devicePixelRatio || 1;
    element.width = Math.round(width * density);
    element.height = Math.round(height * density);
    context.scale(density, density);
    draw(context, props, { width, height });
  });
  return <canvas ref={canvas} aria-hidden className={styles.layer} />;
}

interface Item {
  shapes: readonly Shape[];
  keypoints: GeometryLayout | undefined;
  bounds: BoxShape;
  stroke: string;
  isDashed: boolean;
  name: string;
}

function draw(context: CanvasRenderingContext2D, props: AnnotationCanvasProps, stage: Size): void {
  const { box, hasNames } = props;
  const scale = Math.min(stage.width / box.width, stage.height / box.height);
  const shift = {
    x: (stage.width - box.width * scale) / 2 - box.x * scale,
    y: (stage.height - box.height * scale) / 2 - box.y * scale,
  };
  const place = ({ x, y }: Point): [number, number] => [x * scale + shift.x, y * scale + shift.y];
  const items = seenItems(props, { scale, shift, stage });
  const byPaint = Map.groupBy(items, ({ stroke, isDashed }) => `${stroke} ${isDashed}`);
  context.lineJoin = 'round';
  for (const group of byPaint.values()) {
    const { stroke, isDashed } = group[0]!;
    const path = new Path2D();
    for (const { shapes, keypoints } of group)
      for (const shape of shapes) trace(path, shape, { place, keypoints });
    context.setLineDash([]);
    context.strokeStyle = 'rgb(0 0 0 / 0.5)';
    context.lineWidth = 3;
    context.stroke(path);
    context.setLineDash(isDashed ? [5, 4] : []);
    context.strokeStyle = stroke;
    context.lineWidth = 1.5;
    context.stroke(path);
  }
  if (hasNames && items.length <= mostNames) for (const item of items) drawName(context, item, place);
}

function seenItems(
  { sets, tones, comparison, isElsewhere }: AnnotationCanvasProps,
  { scale, shift, stage }: { scale: number; shift: Point; stage: Size },
): Item[] {
  const items: Item[] = [];
  for (const { name: set, layout, annotations } of sets) {
    const keypoints = layout.geometry.find(({ kind }) => kind === 'keypoints');
    for (const one of annotations) {
      const bounds = isElsewhere(set, one.index) ? null : boundsOfAll(one.shapes);
      if (!bounds) continue;
      const [x, y] = [bounds.x * scale + shift.x, bounds.y * scale + shift.y];
      if (x > stage.width || y > stage.height) continue;
      if (x + bounds.width * scale < 0 || y + bounds.height * scale < 0) continue;
      const { sign, ...paint } = paintOf(one, { set, tones, comparison });
      items.push({
        shapes: one.shapes,
        keypoints,
        bounds,
        ...paint,
        name: nameOf(one, { sign, set, comparison }),
      });
    }
  }
  return items;
}

type Place = (point: Point) => [number, number];

function trace(
  path: Path2D,
  shape: Shape,
  { place, keypoints }: { place: Place; keypoints: GeometryLayout | undefined },
): void {
  const ring = (points: readonly Point[]) => {
    points.forEach((point, at) => {
      if (at === 0) path.moveTo(...place(point));
      else path.lineTo(...place(point));
    });
    path.closePath();
  };
  if (shape.kind === 'box' || shape.kind === 'rotated') ring(cornersOf(shape));
  else if (shape.kind === 'polygon') for (const one of shape.rings) ring(one);
  else if (shape.kind === 'keypoints') {
    const { points } = shape;
    const skeleton = skeletonOf(keypoints?.kind === 'keypoints' ? keypoints : undefined, points.length);
    for (const [from, to] of skeleton ? placedLines(skeleton, points) : []) {
      path.moveTo(...place(points[from]!));
      path.lineTo(...place(points[to]!));
    }
    for (const point of shape.points) {
      if (point.visibility === 0) continue;
      const [x, y] = place(point);
      path.moveTo(x + 3, y);
      path.arc(x, y, 3, 0, 2 * Math.PI);
    }
  }
}

function drawName(context: CanvasRenderingContext2D, { bounds, name, stroke }: Item, place: Place): void {
  if (name === '') return;
  const [x, y] = place(bounds);
  context.font = `500 ${namePx}px "Inter Variable", system-ui, sans-serif`;
  const width = context.measureText(name).width + 8;
  context.fillStyle = stroke;
  context.fillRect(x, y - namePx - 5, width, namePx + 5);
  context.fillStyle = '#1a1a1a';
  context.fillText(name, x + 4, y - 4.5);
}
