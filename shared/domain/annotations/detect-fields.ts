import type { ColumnType } from '../column-type.ts';
import type { BoxForm, BoxUnit } from './box-form.ts';
import { anySize, type FieldType, isListOfNumbers, isWholeType, leafOf } from './detect-types.ts';
import { valueAt } from './entries.ts';
import {
  captionOf,
  formOfName,
  isBoxName,
  isKeypointName,
  isOutlineName,
  isRotatedName,
  labelOf,
  namesOf,
  scoreOf,
  spreadBox,
  timeOf,
} from './field-names.ts';
import type { AnnotationLayout, GeometryLayout } from './layout.ts';
import { parseKeypoints, parseOutline, toNumbers } from './outline-form.ts';

/** Fills a layout from the fields of its records; null where nothing is drawn by them. */
export function fromFields(
  base: AnnotationLayout,
  fields: readonly FieldType[],
  records: readonly unknown[],
): AnnotationLayout | null {
  const names = namesOf(fields.map(({ name }) => name));
  const valuesOf = (path: string) =>
    records.map((record) => valueAt(record, path)).filter((value) => value !== null && value !== undefined);
  const geometry: GeometryLayout[] = [];
  let unit: BoxUnit = 'pixel';
  const boxed = boxField(fields, valuesOf);
  const spread = spreadBox(names) ?? nestedBox(fields, valuesOf);
  if (boxed) {
    geometry.push(boxed.geometry);
    unit = boxed.unit;
  } else if (spread && 'fields' in spread) {
    const rows = records
      .map((record) => toNumbers(spread.fields.slice(0, 4).map((field) => valueAt(record, field))))
      .filter((row) => row !== null);
    unit = unitOf(rows);
    const type = fields.find(({ name }) => name === spread.fields[0])?.type;
    geometry.push(
      spread.kind === 'box' && (isWholeType(type) || (type === undefined && areWhole(rows)))
        ? { ...spread, isWhole: true }
        : spread,
    );
  }
  for (const { name, type } of fields) {
    const whole = isWholeType(leafOf(type)) ? { isWhole: true } : {};
    const values = valuesOf(name);
    if (
      isKeypointName(name) &&
      (values.length === 0 || values.some((value) => parseKeypoints(value, { unit: 'pixel', size: anySize })))
    )
      geometry.push({ kind: 'keypoints', field: name, ...whole });
    else if (
      (isOutlineName(name) || name.toLowerCase() === 'points') &&
      (values.length === 0 ||
        values.some((value) => parseOutline(value, { unit: 'pixel', size: anySize }))) &&
      !geometry.some(({ kind }) => kind === 'outline')
    ) {
      geometry.push({ kind: 'outline', field: name, ...whole });
      if (geometry.length === 1) unit = unitOf(values.flatMap((value) => flatNumbers(value)));
    }
  }
  if (geometry.length === 0) return null;
  const used = new Set(geometry.flatMap((one) => ('fields' in one ? one.fields : [one.field])));
  const rest = namesOf([...names.values()].filter((name) => !used.has(name)));
  return {
    ...base,
    unit,
    geometry: geometry.slice(0, 4),
    label: labelOf(rest),
    score: scoreOf(rest),
    caption: captionOf(rest),
    area: names.get('area') ?? null,
    time: timeOf(rest),
  };
}

/** The numbers of an outline as rows of one or two, to tell their unit. */
export function flatNumbers(value: unknown): number[][] {
  if (!Array.isArray(value)) return [];
  const flat = toNumbers(value);
  return flat ? [flat] : value.flatMap(flatNumbers);
}

function boxField(
  fields: readonly FieldType[],
  valuesOf: (path: string) => unknown[],
): { geometry: GeometryLayout; unit: BoxUnit } | null {
  for (const { name, type } of fields) {
    if (!isBoxName(name) || (type && !isListOfNumbers(type))) continue;
    const rows = valuesOf(name)
      .map(toNumbers)
      .filter((row) => row !== null);
    const found = boxGeometry(name, rows, leafOf(type));
    if (found) return found;
  }
  return null;
}

export function boxGeometry(
  field: string,
  rows: readonly number[][],
  leaf: ColumnType | undefined,
): { geometry: GeometryLayout; unit: BoxUnit } | null {
  if (rows.length > 0 && rows.every((row) => row.length === 5))
    return {
      geometry: {
        kind: 'rotated',
        fields: [field],
        angle:
          rows.every((row) => Math.abs(row[4]!) <= Math.PI + 0.01) && rows.some((row) => row[4] !== 0)
            ? 'radians'
            : 'degrees',
      },
      unit: unitOf(rows.map((row) => row.slice(0, 4))),
    };
  const four = rows.filter((row) => row.length === 4);
  if (rows.length > 0 && four.length === 0) return null;
  if (four.length === 0 && isRotatedName(field)) return null;
  const isWhole = isWholeType(leaf) || (leaf === undefined && areWhole(four));
  const unit = /box_2d/i.test(field) && four.flat().every((one) => one <= 1000) ? 'thousand' : unitOf(four);
  return {
    geometry: {
      kind: 'box',
      fields: [field],
      form: formOf(field, four, unit),
      ...(isWhole ? { isWhole } : {}),
    },
    unit,
  };
}

/** Pascal VOC: `bndbox: {xmin, …}`. */
function nestedBox(
  fields: readonly FieldType[],
  valuesOf: (path: string) => unknown[],
): GeometryLayout | null {
  for (const { name, type } of fields) {
    const [value] = valuesOf(name);
    const inner =
      type?.kind === 'struct'
        ? type.fields.map((field) => field.name)
        : type === undefined && typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.keys(value)
          : null;
    const found = inner && spreadBox(namesOf(inner), `${name}.`);
    if (found) return found;
  }
  return null;
}

const areWhole = (rows: readonly number[][]): boolean =>
  rows.length > 0 && rows.flat().every(Number.isInteger);

/** Shares where all numbers lie in 0 to 1 and not all are whole. */
export function unitOf(rows: readonly number[][]): BoxUnit {
  const all = rows.flat();
  return all.length > 0 &&
    all.every((one) => one >= -0.001 && one <= 1.001) &&
    all.some((one) => !Number.isInteger(one))
    ? 'share'
    : 'pixel';
}

/** The order of a box's numbers, from its name, else from what fits the numbers; COCO's where all fit. */
function formOf(name: string, rows: readonly number[][], unit: BoxUnit): BoxForm {
  const named = formOfName(name);
  if (named) return named;
  const canBeCorners = rows.length > 0 && rows.every(([a = 0, b = 0, c = 0, d = 0]) => c >= a && d >= b);
  if (unit === 'share' && rows.some(([a = 0, b = 0, c = 0, d = 0]) => a + c > 1.001 || b + d > 1.001))
    return canBeCorners && rows.some(([a = 0, , c = 0]) => a - c / 2 < -0.001 || a + c / 2 > 1.001)
      ? 'xyxy'
      : canBeCorners
        ? 'xyxy'
        : 'cxcywh';
  if (/^boxes$/i.test(name) && canBeCorners) return 'xyxy';
  return 'xywh';
}
