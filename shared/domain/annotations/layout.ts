import * as z from 'zod';
import { boxForms, boxUnits } from './box-form.ts';

const Field = z.string().min(1).max(200);

/** Where the shape of an annotation is written; fields are columns, or names inside the column (`bndbox.xmin`). */
export const GeometryLayout = z.discriminatedUnion('kind', [
  /** One field with four numbers, or four fields. */
  z.strictObject({
    kind: z.literal('box'),
    fields: z.array(Field).min(1).max(4),
    form: z.enum(boxForms),
    isWhole: z.boolean().optional(),
  }),
  /** One field with five numbers, or five fields: middle, width, height, angle. */
  z.strictObject({
    kind: z.literal('rotated'),
    fields: z.array(Field).min(1).max(5),
    angle: z.enum(['degrees', 'radians']),
  }),
  /** Polygons or runs, in whichever way each value is written. */
  z.strictObject({ kind: z.literal('outline'), field: Field, isWhole: z.boolean().optional() }),
  /** `names` of the points in their order and `lines` between them, by their places from 0. */
  z.strictObject({
    kind: z.literal('keypoints'),
    field: Field,
    isWhole: z.boolean().optional(),
    names: z.array(z.string().min(1).max(100)).max(500).optional(),
    lines: z
      .array(z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]))
      .max(2_000)
      .optional(),
  }),
]);
export type GeometryLayout = z.infer<typeof GeometryLayout>;

/**
 * How a column's annotations are read. `many` says where the several of a row are: a list of structs (`list`), one
 * struct (`one`), a struct of lists side by side (`lists`), columns of lists side by side (`columns`), the row's own
 * columns (`row`), or a picture whose pixels are the mask (`picture`).
 */
export const AnnotationLayout = z.strictObject({
  column: Field,
  many: z.enum(['list', 'one', 'lists', 'columns', 'row', 'picture']),
  /** The column holds JSON as text. */
  isJson: z.boolean().optional(),
  unit: z.enum(boxUnits),
  geometry: z.array(GeometryLayout).max(4),
  label: Field.nullable().optional(),
  score: Field.nullable().optional(),
  caption: Field.nullable().optional(),
  /** When it is seen, in a video: seconds, or frames where the name says `frame`. */
  time: Field.nullable().optional(),
  /** COCO's area of the outline, kept true when the outline changes. */
  area: Field.nullable().optional(),
  /** Other columns of lists with one entry per annotation, kept in step. */
  parallel: z.array(Field).max(50).optional(),
  /** Names of classes that are written as numbers, from 0. */
  classes: z.array(z.string().max(100)).max(1_000).nullable().optional(),
  /** The media column that it is drawn on; the first when absent. */
  media: Field.nullable().optional(),
});
export type AnnotationLayout = z.infer<typeof AnnotationLayout>;

/** What a column says about its annotations: a layout, or `{off: true}` where it holds none although it looks so. */
export const AnnotationFact = z.union([AnnotationLayout, z.strictObject({ off: z.literal(true) })]);
export type AnnotationFact = z.infer<typeof AnnotationFact>;

/** Columns that a layout reads, the first one its own. */
export function columnsOfLayout(layout: AnnotationLayout): string[] {
  const inside = layout.many === 'list' || layout.many === 'one' || layout.many === 'lists';
  if (inside || layout.many === 'picture') return [layout.column];
  const fields = layout.geometry.flatMap((one) => ('fields' in one ? one.fields : [one.field]));
  const more = [layout.label, layout.score, layout.caption, layout.area, layout.time].filter(
    (name): name is string => typeof name === 'string',
  );
  return [...new Set([layout.column, ...fields, ...more, ...(layout.parallel ?? [])])];
}
