import { AppError } from '#shared/api/problem.ts';
import { formatColumnType } from '#shared/domain/column-type.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import { arrow, type Data, type Field } from '../../arrow/arrow.ts';
import { dataCellToJson } from '../../arrow/cell-json.ts';
import { concatData } from '../../arrow/concat-data.ts';
import { gather } from '../../arrow/gather.ts';
import { columnFromJson } from '../../arrow/json-to-cell.ts';
import { nullData } from '../../arrow/null-data.ts';
import { toColumnType } from './column-type-arrow.ts';
import type { EditColumn } from './plan-edit-columns.ts';
import type { EditDraft } from './plan-edit-draft.ts';
import { selectRows } from './plan-edit-select.ts';
import { castExpression } from './write-cast.ts';

type Op<K extends EditOp['op']> = Extract<EditOp, { op: K }>;

const { Type } = arrow;

export async function planSet(draft: EditDraft, { rows, values }: Op<'set'>): Promise<void> {
  assertSomething('set', values);
  const cells = Object.entries(values).map(([name, value]) => {
    const column = draft.columns.getSettable(name);
    return { column, data: columnFromJson(column.field, [value]) };
  });
  const positions = await selectRows(draft, rows);
  for (const { column, data } of cells) draft.images.set(column, positions, data);
}

export async function planSetSql(draft: EditDraft, { rows, values }: Op<'setSql'>): Promise<void> {
  assertSomething('setSql', values);
  const columns = Object.entries(values).map(([name, sql]) => ({
    column: draft.columns.getSettable(name),
    sql,
  }));
  for (const { column } of columns) {
    if (column.isBlob)
      throw new AppError({
        code: 'UNSUPPORTED',
        message: `“${column.name}” holds blobs, which no expression makes.`,
        hint: 'Set it with {"base64": "…"}.',
      });
  }
  const positions = await selectRows(draft, rows);
  const results = await evaluate(draft, columns, positions);
  for (const { column } of columns) draft.images.set(column, positions, results.get(column)!);
}

function assertSomething(op: string, values: Record<string, unknown>): void {
  if (Object.keys(values).length === 0)
    throw new AppError({ code: 'BAD_REQUEST', message: `The operation “${op}” has no values to set.` });
}

/** Expressions over rows as they are now; a result that the column cannot hold is BAD_REQUEST. */
export async function evaluate(
  draft: EditDraft,
  columns: readonly { column: EditColumn; sql: string }[],
  positions: Int32Array,
): Promise<Map<EditColumn, Data>> {
  const { images } = draft;
  const expressions = Object.fromEntries(
    columns.map(({ column, sql }, index) => [`e${index}`, castExpression(sql, column.field.type)]),
  );
  const given = await draft.typesOf(Object.fromEntries(columns.map(({ sql }, index) => [`e${index}`, sql])));
  for (const [index, { column }] of columns.entries()) assertCastable(column, given.get(`e${index}`)!);
  const touched = images.touchedColumns;
  const isChanged = (position: number) =>
    images.isInserted(position) || touched.some((column) => images.isSet(column, position));
  const changed = positions.filter(isChanged);
  const asStored = positions.filter((position) => !isChanged(position));
  const onImages = await draft.evaluateOnImages({ expressions }, changed);
  const atHead =
    asStored.length === 0
      ? new Map<string, Data>()
      : await draft.evaluateAtHead(
          expressions,
          Float64Array.from(asStored, (position) => images.idAt(position)),
        );
  const order = orderOf(positions, [onImages.positions, asStored], images.length);
  return new Map(
    columns.map(({ column }, index) => {
      const name = `e${index}`;
      const parts = [onImages.columns.get(name), atHead.get(name)].filter((part) => part !== undefined);
      for (const part of parts) assertFits(column, part);
      const whole =
        parts.length === 0 ? nullData(column.field.type, 0) : concatData(column.field.type, parts);
      const data = gather(whole, order);
      if (!column.field.nullable && data.nullCount > 0)
        throw new AppError({
          code: 'BAD_REQUEST',
          message: `${column.name}: it cannot be empty, and the expression gives no value for ${data.nullCount} rows.`,
        });
      return [column, data];
    }),
  );
}

/** Where each position stands in the lists, one behind the other. */
function orderOf(positions: Int32Array, lists: Int32Array[], count: number): Int32Array {
  const places = new Int32Array(count);
  let place = 0;
  for (const list of lists) for (let at = 0; at < list.length; at++) places[list[at]!] = place++;
  return positions.map((position) => places[position]!);
}

const typeName = (field: Field): string => formatColumnType(toColumnType(field));

const misfit = ({ name, field }: EditColumn, given: Field): AppError =>
  new AppError({
    code: 'BAD_REQUEST',
    message: `${name}: the expression gives ${typeName(given)}, and the column holds ${typeName(field)}.`,
    hint: 'Give values of the column’s type.',
  });

const nestedTypes: ReadonlySet<number> = new Set([Type.List, Type.FixedSizeList, Type.Struct, Type.Map]);

/** Lance makes a list of one out of anything; nobody who writes a number for a list means that. */
function assertCastable(column: EditColumn, given: Field): void {
  const isNested = nestedTypes.has(given.typeId);
  if (given.typeId !== Type.Null && isNested !== nestedTypes.has(column.field.typeId))
    throw misfit(column, given);
}

function assertFits(column: EditColumn, { type }: Data): void {
  if (!arrow.util.compareTypes(type, column.field.type))
    throw misfit(column, new arrow.Field(column.name, type, true));
}

export async function planTag(
  draft: EditDraft,
  { rows, column: name, add = [], remove = [] }: Op<'tag'>,
): Promise<void> {
  const column = draft.columns.getSettable(name);
  const item = column.field.type.children?.[0]?.type.typeId;
  const isTags = column.field.type.typeId === Type.List && (item === Type.Utf8 || item === Type.LargeUtf8);
  if (!isTags)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `“${name}” is no list of texts, so it takes no tags.`,
      hint: 'Use a column of the type list<utf8>, or “set” for other columns.',
    });
  if (add.length + remove.length === 0)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: 'The operation “tag” has nothing to add and nothing to remove.',
    });
  const positions = await selectRows(draft, rows);
  const before = await draft.images.values(column, positions);
  const after = Array.from(positions, (_, index) =>
    retag(dataCellToJson(before, index) as string[] | null, add, remove),
  );
  draft.images.set(column, positions, columnFromJson(column.field, after));
}

/** Tags in their order, those removed left out, those added at the end where they were not there yet. */
export function retag(
  tags: readonly (string | null)[] | null,
  add: readonly string[],
  remove: readonly string[],
): (string | null)[] | null {
  const kept = (tags ?? []).filter((tag) => tag === null || !remove.includes(tag));
  const added = [...new Set(add)].filter((tag) => !kept.includes(tag) && !remove.includes(tag));
  return tags === null && added.length === 0 ? null : [...kept, ...added];
}
