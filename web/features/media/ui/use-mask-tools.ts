import { useState } from 'react';
import { boundsOf } from '#shared/domain/annotations/measure.ts';
import { type PaintStroke, paintPixels } from '#shared/domain/annotations/paint-pixels.ts';
import { paintMask, toMask } from '#shared/domain/annotations/rle.ts';
import type { Annotation, MaskShape, Point, Shape } from '#shared/domain/annotations/shape.ts';
import { type Command, useCommands } from '../../../state/commands.ts';
import { groundOf, valueOfLabel } from '../model/painted-mask.ts';
import type { AnnotationId } from './annotation-layer.tsx';
import type { EditorState } from './use-edit-keys.ts';
import type { PictureMask } from './use-picture-masks.ts';
import { type DrawKind, isPaintKind, type PaintKind } from './use-shape-tool.ts';

export interface MaskTools {
  /** The mask that is a picture and is painted; undefined where runs are. */
  picture: PictureMask | undefined;
  /** Of the brush, in pixels of the picture. */
  diameter: number;
  setDiameter: (diameter: number) => void;
  /** Classes of a mask that is a picture. */
  classes: string[];
  paintClass: string | null;
  setPaintClass: (label: string) => void;
  /** Why nothing can be painted; null where it can. */
  whyNot: string | null;
  paint: (kind: PaintKind, points: readonly Point[], isClearing: boolean) => void;
}

export const maskOf = (one: Pick<Annotation, 'shapes'> | undefined): MaskShape | undefined =>
  one?.shapes.find((shape) => shape.kind === 'mask');

const most = 2_000;
const growth = 1.25;

/** Larger or smaller by a quarter, by one pixel at least. */
const scaled = (diameter: number, by: 1 | -1): number =>
  by > 0
    ? Math.min(most, Math.max(diameter + 1, Math.round(diameter * growth)))
    : Math.max(1, Math.min(diameter - 1, Math.round(diameter / growth)));

export interface MaskActions {
  reshape: (id: AnnotationId, shapes: readonly Shape[], verb: string) => void;
  addMask: (shape: MaskShape) => void;
  kinds: readonly DrawKind[];
}

/** Painting of masks: of runs, and of pictures whose values are classes. */
export function useMaskTools(editor: EditorState, { reshape, addMask, kinds }: MaskActions): MaskTools {
  const { current, selected, size, layout, drawing, isEditing, changes } = editor;
  const [chosen, setChosen] = useState<number | null>(null);
  const [wantedClass, setPaintClass] = useState<string | null>(null);
  const diameter = chosen ?? Math.max(3, Math.round(Math.max(size?.width ?? 0, size?.height ?? 0) / 40));
  const picture =
    layout?.many === 'picture' ? editor.masks.find(({ name }) => name === layout.column) : undefined;
  const known = picture?.classes.map(({ label }) => label) ?? [];
  const classes = [...new Set([...known, ...(layout?.classes?.slice(1) ?? [])])].filter((one) => one !== '');
  const paintClass = wantedClass ?? classes[0] ?? (picture ? '1' : null);
  const isPainting = drawing !== null && isPaintKind(drawing);
  const canPaint = kinds.some(isPaintKind);
  const whyNot =
    layout?.many === 'picture' ? (picture ? picture.whyNotPaint : 'The mask is not read yet') : null;

  const paintRuns = (stroke: Omit<PaintStroke, 'value'>, value: number) => {
    if (!size) return;
    const before = maskOf(current);
    const box = before ?? { kind: 'mask' as const, ...size, counts: [size.width * size.height] };
    const pixels = paintMask(box, box);
    if (paintPixels(pixels, box, { ...stroke, value }) === 0) return;
    const mask = toMask(pixels, box);
    if (!before || !current || !selected) {
      addMask(mask);
      return;
    }
    const bounds = boundsOf(mask);
    const shapes = current.shapes.map((shape) =>
      shape.kind === 'mask' ? mask : shape.kind === 'box' && bounds ? bounds : shape,
    );
    reshape(selected, shapes, value === 0 ? 'Erased from' : 'Painted');
  };
  const paintPicture = (
    { name, painted }: PictureMask,
    stroke: Omit<PaintStroke, 'value'>,
    isClearing: boolean,
  ) => {
    if (!size || !painted || !layout) return;
    const value = isClearing
      ? groundOf(painted.png)
      : valueOfLabel(painted.png, paintClass ?? '', layout.classes);
    if (value === null) return;
    const scale = { x: painted.png.width / size.width, y: painted.png.height / size.height };
    const next = painted.with({
      ...stroke,
      points: stroke.points.map(({ x, y }) => ({ x: x * scale.x, y: y * scale.y })),
      diameter: stroke.diameter * ((scale.x + scale.y) / 2),
      value,
    });
    if (next !== painted)
      changes.setCell(name, next, isClearing ? `Erased from ${name}` : `Painted ${paintClass} in ${name}`);
  };
  const paint = (kind: PaintKind, points: readonly Point[], isClearing: boolean) => {
    if (whyNot) return;
    const stroke = { kind: kind === 'fill' ? ('fill' as const) : ('brush' as const), points, diameter };
    const clears = kind === 'eraser' || isClearing;
    if (picture) paintPicture(picture, stroke, clears);
    else if (maskOf(current) || !clears) paintRuns(stroke, clears ? 0 : 1);
  };

  const group = 'Annotations';
  const noPaint = () =>
    isEditing && canPaint ? whyNot : isEditing ? 'There is no mask to paint' : 'Press e to edit';
  const tool = (kind: PaintKind, title: string, key: string): Command => ({
    id: `annotate.${kind}`,
    title,
    group,
    keys: [key],
    isHidden: true,
    whyNot: noPaint,
    run: () => editor.setDrawing(drawing === kind ? null : kind),
  });
  const resize = (by: 1 | -1): Command => ({
    id: by > 0 ? 'annotate.brushLarger' : 'annotate.brushSmaller',
    title: by > 0 ? 'Larger brush' : 'Smaller brush',
    group,
    keys: [by > 0 ? ']' : '['],
    isHidden: true,
    whyNot: () => (isEditing && isPainting ? null : 'Nothing is painted'),
    run: () => setChosen(scaled(diameter, by)),
  });
  useCommands([
    tool('brush', 'Paint the mask', 'b'),
    tool('eraser', 'Erase from the mask', 'x'),
    tool('fill', 'Fill an area of the mask (Shift clears it)', 'w'),
    resize(1),
    resize(-1),
  ]);
  return {
    picture,
    diameter,
    setDiameter: (next) => setChosen(Math.max(1, Math.min(most, Math.round(next)))),
    classes,
    paintClass,
    setPaintClass,
    whyNot,
    paint,
  };
}

/** Whether a class can be painted into a mask; for new ones that a person names. */
export const canHold = (
  picture: PictureMask,
  label: string,
  classes: readonly string[] | null | undefined,
): boolean => picture.painted !== null && valueOfLabel(picture.painted.png, label, classes) !== null;
