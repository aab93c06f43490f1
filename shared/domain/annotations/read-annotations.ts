import { type FourNumbers, formatBox, parseBox, unitScale } from './box-form.ts';
import { type CellOf, type Entries, openEntries } from './entries.ts';
import type { AnnotationLayout, GeometryLayout } from './layout.ts';
import { areaOf, boundsOf } from './measure.ts';
import {
  formatKeypoints,
  formatOutline,
  type Keypoints,
  parseKeypoints,
  parseOutline,
  toNumber,
  toNumbers,
} from './outline-form.ts';
import type { Annotation, BoxShape, RotatedShape, Shape, Size } from './shape.ts';

export interface AnnotationRead {
  annotations: Annotation[];
  /** Entries that hold something that is no shape, such as three numbers for a box. */
  faulty: number;
}

const mostAnnotations = 20_000;

/** The annotations of a row, in pixels of a picture of this size. */
export function readAnnotations(cell: CellOf, layout: AnnotationLayout, size: Size): AnnotationRead {
  const entries = openEntries(cell, layout);
  const annotations: Annotation[] = [];
  let faulty = 0;
  for (let index = 0; index < Math.min(entries.count, mostAnnotations); index++) {
    const shapes: Shape[] = [];
    let isFaulty = false;
    for (const geometry of layout.geometry) {
      const found = readShape(entries, index, geometry, { layout, size });
      if (found === 'faulty') isFaulty = true;
      else if (found) shapes.push(found);
    }
    if (isFaulty) faulty++;
    annotations.push({
      index,
      shapes,
      label: readLabel(entries, index, layout),
      score: layout.score ? toNumber(entries.get(index, layout.score)) : null,
      caption: layout.caption ? readText(entries.get(index, layout.caption)) : null,
      time: layout.time ? toNumber(entries.get(index, layout.time)) : null,
    });
  }
  return { annotations, faulty: faulty + Math.max(0, entries.count - mostAnnotations) };
}

const readText = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : String(value);

function readLabel(entries: Entries, index: number, { label, classes }: AnnotationLayout): string | null {
  if (!label) return null;
  const value = entries.get(index, label);
  const place = classes ? toNumber(value) : null;
  return readText(place === null ? value : (classes?.[place] ?? value));
}

interface Frame {
  layout: AnnotationLayout;
  size: Size;
}

function fieldNumbers(entries: Entries, index: number, fields: readonly string[]): unknown[] | null {
  if (fields.length > 1) {
    const values = fields.map((field) => entries.get(index, field) ?? null);
    return values.every((value) => value === null) ? null : values;
  }
  const value = entries.get(index, fields[0] ?? '') ?? null;
  return value === null ? null : Array.isArray(value) ? value : [value];
}

function readShape(
  entries: Entries,
  index: number,
  geometry: GeometryLayout,
  { layout, size }: Frame,
): Shape | 'faulty' | null {
  const { unit } = layout;
  switch (geometry.kind) {
    case 'box':
    case 'rotated': {
      const values = fieldNumbers(entries, index, geometry.fields);
      if (values === null || values.length === 0) return null;
      const numbers = toNumbers(values);
      if (numbers?.length !== (geometry.kind === 'box' ? 4 : 5)) return 'faulty';
      if (geometry.kind === 'box')
        return parseBox(numbers as FourNumbers, { form: geometry.form, unit, size });
      return parseRotated(numbers, geometry.angle, { layout, size });
    }
    case 'outline': {
      const value = entries.get(index, geometry.field) ?? null;
      if (value === null || (Array.isArray(value) && value.length === 0)) return null;
      return parseOutline(value, { unit, size })?.shape ?? 'faulty';
    }
    case 'keypoints': {
      const value = entries.get(index, geometry.field) ?? null;
      if (value === null || (Array.isArray(value) && value.length === 0)) return null;
      return parseKeypoints(value, { unit, size })?.shape ?? 'faulty';
    }
  }
}

function parseRotated(
  [cx = 0, cy = 0, width = 0, height = 0, angle = 0]: readonly number[],
  measure: 'degrees' | 'radians',
  { layout, size }: Frame,
): RotatedShape {
  const scale = unitScale(layout.unit, size);
  return {
    kind: 'rotated',
    cx: cx * scale.x,
    cy: cy * scale.y,
    width: width * scale.x,
    height: height * scale.y,
    angle: measure === 'radians' ? (angle * 180) / Math.PI : angle,
  };
}

/** One change to the annotations of a row. */
export type AnnotationChange =
  | { kind: 'reshape'; index: number; shapes: readonly Shape[] }
  | { kind: 'relabel'; index: number; label: string | null }
  /** `time` as the layout writes it, where it has times. */
  | { kind: 'add'; shapes: readonly Shape[]; label: string | null; time?: number | null }
  /** The same once more at another time, with all that is written beside them; ids of their own are left empty. */
  | { kind: 'repeat'; indexes: readonly number[]; time: number }
  | { kind: 'remove'; indexes: readonly number[] };

/** The cells of a row after a change: those of the layout's columns that differ. What a layout cannot hold is left as it was. */
export function writeAnnotations(
  cell: CellOf,
  { layout, size, change }: { layout: AnnotationLayout; size: Size; change: AnnotationChange },
): Record<string, unknown> {
  const before = openEntries(cell, layout).cells();
  const entries = openEntries(cell, layout);
  const frame = { layout, size };
  switch (change.kind) {
    case 'reshape':
      writeShapes(entries, change.index, change.shapes, frame);
      break;
    case 'relabel':
      writeLabel(entries, change.index, change.label, layout);
      break;
    case 'add': {
      const index = entries.add();
      writeShapes(entries, index, change.shapes, frame);
      writeLabel(entries, index, change.label, layout);
      if (layout.time && change.time !== undefined) entries.set(index, layout.time, change.time);
      break;
    }
    case 'repeat':
      repeatEntries(entries, change, layout);
      break;
    case 'remove':
      for (const index of [...change.indexes].sort((a, b) => b - a)) entries.remove(index);
  }
  const after = entries.cells();
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

function repeatEntries(
  entries: Entries,
  { indexes, time }: { indexes: readonly number[]; time: number },
  layout: AnnotationLayout,
): void {
  const ids = Array.from({ length: entries.count }, (_none, at) => entries.get(at, ownId) ?? null);
  const areOwn = ids.some((id) => id !== null) && new Set(ids).size === ids.length;
  for (const like of indexes) {
    const index = entries.add(like);
    if (layout.time) entries.set(index, layout.time, time);
    if (areOwn) entries.set(index, ownId, null);
  }
}

/** What tells entries apart, where no two have the same; else it tells things that are seen several times apart. */
const ownId = 'id';

function writeLabel(
  entries: Entries,
  index: number,
  label: string | null,
  { label: field, classes }: AnnotationLayout,
): void {
  if (!field) return;
  const place = label === null ? -1 : (classes?.indexOf(label) ?? -1);
  const others = Array.from({ length: entries.count }, (_none, at) => entries.get(at, field));
  const isNumber = others.some((value) => typeof value === 'number');
  entries.set(
    index,
    field,
    place >= 0 ? place : isNumber && label !== null ? (toNumber(label) ?? label) : label,
  );
}

function writeShapes(entries: Entries, index: number, shapes: readonly Shape[], frame: Frame): void {
  const { layout, size } = frame;
  const { unit } = layout;
  const of = <K extends Shape['kind']>(kind: K) =>
    shapes.find((shape): shape is Extract<Shape, { kind: K }> => shape.kind === kind);
  for (const geometry of layout.geometry) {
    switch (geometry.kind) {
      case 'box': {
        const box = of('box') ?? fitBox(shapes);
        if (!box) break;
        const numbers = formatBox(box, { form: geometry.form, unit, size });
        writeNumbers(entries, index, geometry.fields, geometry.isWhole ? roundBox(numbers) : numbers);
        break;
      }
      case 'rotated': {
        const shape = of('rotated');
        if (!shape) break;
        const scale = unitScale(unit, size);
        const angle = geometry.angle === 'radians' ? (shape.angle * Math.PI) / 180 : shape.angle;
        writeNumbers(entries, index, geometry.fields, [
          shape.cx / scale.x,
          shape.cy / scale.y,
          shape.width / scale.x,
          shape.height / scale.y,
          angle,
        ]);
        break;
      }
      case 'outline': {
        const shape = of('polygon') ?? of('mask');
        if (!shape) break;
        const style =
          parseOutline(entries.get(index, geometry.field), { unit, size })?.style ??
          styleOfOthers(entries, geometry.field, frame);
        const isMask = style === 'rleText' || style === 'rleList';
        const fitting =
          isMask === (shape.kind === 'mask') ? style : shape.kind === 'mask' ? 'rleText' : 'rings';
        const written = formatOutline({ shape, style: fitting }, { unit, size });
        entries.set(index, geometry.field, geometry.isWhole ? roundAll(written) : written);
        break;
      }
      case 'keypoints': {
        const shape = of('keypoints');
        if (!shape) break;
        const known = keypointsLike(entries, { index, field: geometry.field }, frame);
        const written = formatKeypoints({ ...known, shape }, { unit, size });
        entries.set(index, geometry.field, geometry.isWhole ? roundAll(written) : written);
        if (isCounted(entries, index, labelledCount))
          entries.set(index, labelledCount, shape.points.filter(({ visibility }) => visibility > 0).length);
      }
    }
  }
  if (layout.area) {
    const outline = of('polygon') ?? of('mask') ?? of('rotated') ?? of('box');
    if (outline && isCounted(entries, index, layout.area)) {
      const area = areaOf(outline);
      entries.set(index, layout.area, areWhole(entries, layout.area) ? Math.round(area) : area);
    }
  }
}

/** COCO's count of the points that are labelled, kept true. */
const labelledCount = 'num_keypoints';

/** Whether a field has a number here, or is empty where another annotation has one. */
function isCounted(entries: Entries, index: number, field: string): boolean {
  const own = entries.get(index, field);
  if (own !== null) return toNumber(own) !== null;
  return Array.from({ length: entries.count }, (_none, at) => entries.get(at, field)).some(
    (value) => toNumber(value) !== null,
  );
}

/** Whether a field holds whole numbers only. */
function areWhole(entries: Entries, field: string): boolean {
  for (let at = 0; at < entries.count; at++) {
    const value = toNumber(entries.get(at, field));
    if (value !== null && !Number.isInteger(value)) return false;
  }
  return true;
}

/** A value whose numbers are rounded, however deep they lie. */
function roundAll(value: unknown): unknown {
  if (typeof value === 'number') return Math.round(value);
  if (Array.isArray(value)) return value.map(roundAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, roundAll(inner)]));
}

/** How keypoints are written here, else in another annotation of the row. */
function keypointsLike(
  entries: Entries,
  { index, field }: { index: number; field: string },
  { layout: { unit }, size }: Frame,
): Pick<Keypoints, 'style' | 'visibilityName'> {
  for (const at of [index, ...Array.from({ length: entries.count }, (_none, other) => other)]) {
    const found = parseKeypoints(entries.get(at, field), { unit, size });
    if (found) return found;
  }
  return { style: 'flat3', visibilityName: null };
}

function styleOfOthers(entries: Entries, field: string, { layout, size }: Frame) {
  for (let at = 0; at < entries.count; at++) {
    const found = parseOutline(entries.get(at, field), { unit: layout.unit, size });
    if (found) return found.style;
  }
  return 'rings';
}

/** Whole numbers that keep a side at least one long. */
const roundBox = (numbers: readonly number[]): number[] => numbers.map((number) => Math.round(number));

function fitBox(shapes: readonly Shape[]): BoxShape | null {
  const outline = shapes.find(({ kind }) => kind === 'polygon' || kind === 'mask') ?? shapes[0];
  return outline ? boundsOf(outline) : null;
}

function writeNumbers(
  entries: Entries,
  index: number,
  fields: readonly string[],
  numbers: readonly number[],
): void {
  if (fields.length > 1) for (const [at, field] of fields.entries()) entries.set(index, field, numbers[at]);
  else entries.set(index, fields[0] ?? '', [...numbers]);
}
