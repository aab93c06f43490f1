import type { ColumnType } from '../column-type.ts';
import { beside, hasSiblings } from './beside.ts';
import { boxGeometry, flatNumbers, fromFields, unitOf } from './detect-fields.ts';
import {
  type AnnotatedColumn,
  anySize,
  type FieldType,
  isListOfNumbers,
  isNumeric,
  isWholeType,
  itemOf,
  leafOf,
  mostSampled,
} from './detect-types.ts';
import { type CellOf, readCell } from './entries.ts';
import { isBoxName, isKeypointName, isOutlineName, namesOf, spreadBox } from './field-names.ts';
import type { AnnotationLayout, GeometryLayout } from './layout.ts';
import { parseOutline, toNumbers } from './outline-form.ts';

export interface Detection {
  /** One per set of annotations, in the order of the columns. */
  layouts: AnnotationLayout[];
  /** Columns of text that tell of the picture as a whole. */
  captions: string[];
  /** Columns of classes of the picture as a whole. */
  classes: string[];
}

const isText = (type: ColumnType): boolean =>
  type.kind === 'utf8' || type.kind === 'large_utf8' || type.kind === 'json';
/**
 * Proposes how a table's columns of annotations are read, from names, types and a few rows: COCO, YOLO, Pascal VOC,
 * lists of structs, structs of lists and lists side by side, as they are or as JSON text. Stored facts come first.
 */
export function detectAnnotations(columns: readonly AnnotatedColumn[], sample: readonly CellOf[]): Detection {
  const layouts: AnnotationLayout[] = [];
  const used = new Set<string>();
  const place = (layout: AnnotationLayout | null) => {
    if (!layout || used.has(layout.column)) return;
    layouts.push(layout);
    used.add(layout.column);
  };
  for (const { name, annotations } of columns) {
    if (!annotations) continue;
    if ('off' in annotations) used.add(name);
    else place(annotations);
  }
  for (const column of columns) if (!used.has(column.name)) place(proposeInside(column, sample));
  for (const column of columns) if (!used.has(column.name)) place(proposePlain(column, columns, sample));
  const names = namesOf(columns.filter(({ type }) => isNumeric(type)).map(({ name }) => name));
  const spread = spreadBox(names);
  if (spread && 'fields' in spread && !used.has(spread.fields[0]!)) place(rowLayout(spread, columns, sample));
  const order = new Map(columns.map(({ name }, at) => [name, at]));
  const hasBox = ({ geometry }: AnnotationLayout) => geometry.some((one) => 'fields' in one);
  const taken = new Set([
    ...used,
    ...layouts.flatMap((one) =>
      one.many === 'columns' || (one.many === 'row' && hasBox(one)) ? [one.label] : [],
    ),
  ]);
  return {
    layouts: layouts.sort((a, b) => (order.get(a.column) ?? 0) - (order.get(b.column) ?? 0)),
    captions: columns
      .filter(
        ({ name, type }) =>
          /(^|_)captions?($|_)/i.test(name) && (isText(type) || isText(itemOf(type) ?? type)),
      )
      .map(({ name }) => name),
    classes: columns
      .filter(({ role, name, type }) => role === 'label' && !taken.has(name) && type.kind !== 'bool')
      .map(({ name }) => name),
  };
}

/** Annotations that lie inside one column: a struct, a list of structs, a struct of lists, or JSON of one of these. */
function proposeInside(column: AnnotatedColumn, sample: readonly CellOf[]): AnnotationLayout | null {
  const { name, type } = column;
  const isJson = isText(type);
  if (isJson && !isJsonWorthy(column)) return null;
  const values = sample
    .map((cell) => readCell(cell(name), isJson))
    .filter((value) => value !== null && value !== undefined);
  const item = itemOf(type);
  if (!isJson) {
    if (item?.kind === 'struct')
      return fromFields(
        { column: name, many: 'list', unit: 'pixel', geometry: [] },
        item.fields,
        listed(values),
      );
    if (type.kind !== 'struct') return null;
    const lists = type.fields.filter((field) => itemOf(field.type));
    const outline = type.fields
      .map((field) => field.name)
      .sort()
      .join();
    if (outline === 'counts,size') return null;
    if (lists.length === type.fields.length && lists.length > 1 && !looksSingle(type.fields)) {
      const inner = type.fields.map((field) => ({ name: field.name, type: itemOf(field.type) }));
      return fromFields(
        { column: name, many: 'lists', unit: 'pixel', geometry: [] },
        inner,
        transposed(values),
      );
    }
    return fromFields({ column: name, many: 'one', unit: 'pixel', geometry: [] }, type.fields, values);
  }
  const first = values.find((value) => (Array.isArray(value) ? value.length > 0 : typeof value === 'object'));
  if (first === undefined || typeof first !== 'object') return null;
  const records = Array.isArray(first) ? listed(values) : values;
  const record = records[0];
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return null;
  const isLists =
    !Array.isArray(first) &&
    Object.values(record).length > 1 &&
    Object.values(record).every(Array.isArray) &&
    !looksSingle(Object.keys(record).map((field) => ({ name: field, type: undefined })));
  const fields = fieldsOfRecords(records);
  if (isLists) {
    const rows = transposed(values);
    return fromFields(
      { column: name, many: 'lists', isJson, unit: 'pixel', geometry: [] },
      fieldsOfRecords(rows),
      rows,
    );
  }
  if ('counts' in record && 'size' in record) return null;
  return fromFields(
    { column: name, many: Array.isArray(first) ? 'list' : 'one', isJson, unit: 'pixel', geometry: [] },
    fields,
    records,
  );
}

/** One thing whose parts are lists: `{bbox: [4 numbers], keypoints: [51]}` and no class beside it. */
const looksSingle = (fields: readonly FieldType[]): boolean =>
  fields.every(
    ({ name, type }) =>
      type !== undefined &&
      isListOfNumbers(type) &&
      (isBoxName(name) || isKeypointName(name) || isOutlineName(name)),
  );

const isJsonWorthy = ({ name, role, type }: AnnotatedColumn): boolean =>
  role === 'box' ||
  role === 'mask' ||
  role === 'json' ||
  type.kind === 'json' ||
  isBoxName(name) ||
  isOutlineName(name) ||
  isKeypointName(name) ||
  /(annotation|object|detection|prediction|instance)s?/i.test(name);

const listed = (values: readonly unknown[]): unknown[] =>
  values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [])).slice(0, mostSampled);

function transposed(values: readonly unknown[]): unknown[] {
  return values
    .flatMap((value) => {
      const lists = Object.entries(value as Record<string, unknown>).filter(([, list]) =>
        Array.isArray(list),
      ) as [string, unknown[]][];
      const count = Math.max(0, ...lists.map(([, list]) => list.length));
      return Array.from({ length: count }, (_none, at) =>
        Object.fromEntries(lists.map(([name, list]) => [name, list[at]])),
      );
    })
    .slice(0, mostSampled);
}

function fieldsOfRecords(records: readonly unknown[]): FieldType[] {
  const names = new Set<string>();
  for (const record of records) for (const name of Object.keys((record ?? {}) as object)) names.add(name);
  return [...names].map((name) => ({ name }));
}

/** Annotations in columns of their own: lists side by side, or one per row. */
function proposePlain(
  column: AnnotatedColumn,
  columns: readonly AnnotatedColumn[],
  sample: readonly CellOf[],
): AnnotationLayout | null {
  const { name, type, role } = column;
  if (type.kind === 'blob' || type.kind.includes('binary'))
    return role === 'mask' ? { column: name, many: 'picture', unit: 'pixel', geometry: [] } : null;
  if (type.kind === 'struct' && role === 'mask' && type.fields.some((field) => field.name === 'bytes'))
    return { column: name, many: 'picture', unit: 'pixel', geometry: [] };
  const isJson = isText(type) && isJsonWorthy(column);
  const values = sample
    .map((cell) => readCell(cell(name), isJson))
    .filter((value) => value !== null && value !== undefined);
  const isBox = role === 'box' || isBoxName(name);
  if (
    type.kind === 'struct' ||
    (isJson && values.some((value) => typeof value === 'object' && !Array.isArray(value)))
  )
    return isOutlineName(name) || role === 'mask'
      ? beside(
          {
            column: name,
            many: 'row',
            ...(isJson ? { isJson } : {}),
            unit: 'pixel',
            geometry: [{ kind: 'outline', field: name }],
          },
          columns,
          sample,
        )
      : null;
  if (!itemOf(type) && !(isJson && values.some(Array.isArray))) return null;
  const depth = type.kind === 'utf8' || isJson ? depthOfValue(values) : depthOfType(type);
  const rows =
    depth === 1
      ? values.map(toNumbers)
      : values.flatMap((value) => (Array.isArray(value) ? value.map(toNumbers) : []));
  const numbers = rows.filter((row) => row !== null).slice(0, mostSampled);
  const json = isJson ? { isJson } : {};
  const whole = !isJson && isWholeType(leafOf(type)) ? { isWhole: true } : {};
  if (isBox && (depth === 1 || depth === 2)) {
    const found = boxGeometry(
      name,
      numbers.filter((row) => row.length > 0),
      isJson ? undefined : leafOf(type),
    );
    return (
      found &&
      beside(
        {
          column: name,
          many: depth === 1 ? 'row' : 'columns',
          ...json,
          unit: found.unit,
          geometry: [found.geometry],
        },
        columns,
        sample,
      )
    );
  }
  if (isKeypointName(name) && (depth === 1 || depth === 2 || depth === 3)) {
    const isOne = depth === 1 || numbers.every((row) => row.length === 2 || row.length === 3);
    const many = depth === 1 || (depth === 2 && isOne) ? 'row' : 'columns';
    return beside(
      {
        column: name,
        many,
        ...json,
        unit: unitOf(numbers.map((row) => row.filter((_one, at) => row.length % 3 !== 0 || at % 3 !== 2))),
        geometry: [{ kind: 'keypoints', field: name, ...whole }],
      },
      columns,
      sample,
    );
  }
  if (isOutlineName(name) || role === 'mask') {
    const isOne =
      depth === 1 ||
      values.every(
        (value) =>
          Array.isArray(value) &&
          (value.length === 0 || parseOutline(value, { unit: 'pixel', size: anySize }) !== null),
      );
    const isManyStructs = itemOf(type)?.kind === 'struct';
    const many =
      isManyStructs || depth > 3 || !isOne
        ? 'columns'
        : hasSiblings(name, values, columns, sample)
          ? 'columns'
          : 'row';
    return beside(
      {
        column: name,
        many,
        ...json,
        unit: unitOf(values.flatMap(flatNumbers)),
        geometry: [{ kind: 'outline', field: name, ...whole }],
      },
      columns,
      sample,
    );
  }
  return null;
}

const depthOfType = (type: ColumnType): number => (itemOf(type) ? 1 + depthOfType(itemOf(type)!) : 0);

function depthOfValue(values: readonly unknown[]): number {
  let at: unknown = values.find((value) => Array.isArray(value) && value.length > 0);
  let depth = 0;
  while (Array.isArray(at)) {
    depth++;
    at = at[0];
  }
  return depth;
}

function rowLayout(
  geometry: GeometryLayout,
  columns: readonly AnnotatedColumn[],
  sample: readonly CellOf[],
): AnnotationLayout | null {
  if (!('fields' in geometry)) return null;
  const rows = sample
    .map((cell) => toNumbers(geometry.fields.slice(0, 4).map((field) => cell(field))))
    .filter((row) => row !== null);
  const isWhole = isWholeType(columns.find(({ name }) => name === geometry.fields[0])?.type);
  return beside(
    {
      column: geometry.fields[0]!,
      many: 'row',
      unit: unitOf(rows),
      geometry: [geometry.kind === 'box' && isWhole ? { ...geometry, isWhole } : geometry],
    },
    columns,
    sample,
  );
}
