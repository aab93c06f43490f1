import type { CellStep } from '#shared/api/history.ts';
import { AppError } from '#shared/api/problem.ts';
import { guessRole } from '#shared/domain/column-role.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import { parseFieldFacts } from '#shared/domain/field-facts.ts';
import { hiddenKeyColumn } from '#shared/domain/names.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import { dataCellToJson } from '../../../arrow/cell-json.ts';
import { columnFromJson } from '../../../arrow/json-to-cell.ts';
import type { RowStamp, RowStep, RowStepInput, TracedColumn } from '../../../ports/row-trace.ts';
import type { LanceHome } from '../connect.ts';
import { isHiddenColumn } from '../describe.ts';
import { compareInPlace } from '../diff/compare-cells.ts';
import { readAligned } from '../diff/read-aligned.ts';
import { openSide, type Side, type SideField } from '../diff/side.ts';
import { withLanceErrors } from '../lance-errors.ts';
import { findRowsByKey, type Keys } from '../write-keys.ts';
import { numbersOf, readRowsById } from '../write-read.ts';
import { previewCell } from './cell-preview.ts';

const maxCells = 100;
const createdColumn = '_row_created_at_version';
const updatedColumn = '_row_last_updated_at_version';

/** One row before and after a version, found by its id or its key, with the cells that differ. */
export async function readRowStep(
  home: LanceHome,
  { table, before: beforeRef, after: afterRef, row, column, isOneLine }: RowStepInput,
  signal: AbortSignal,
): Promise<RowStep> {
  const [before, after] = await Promise.all([
    beforeRef && openSide(home, table, beforeRef),
    openSide(home, table, afterRef),
  ]);
  const is = await findRow(after, row, signal);
  const key = is ? await readKey(after, is, signal) : 'key' in row ? row.key : null;
  const was = before && (await findEarlier(before, after, { row, key, is, isOneLine }, signal));
  const cells = await readCells({ before, after, was, is, column }, signal);
  return {
    before: was,
    after: is,
    key,
    isHiddenKey: after.key.length === 1 && after.key[0] === hiddenKeyColumn,
    hasStableRowIds: after.manifest.hasStableRowIds,
    fieldIds: Object.fromEntries(after.fields.map(({ name, id }) => [name, id])),
    cells: cells.slice(0, maxCells),
    moreCells: Math.max(0, cells.length - maxCells),
  };
}

type Row = RowStepInput['row'];

interface Sought {
  row: Row;
  key: RowKey | null;
  is: RowStamp | null;
  isOneLine: boolean;
}

/** Ids mean the same row on one line of versions, as long as the row was there already; else, or when it has another key, the key tells. */
async function findEarlier(
  before: Side,
  after: Side,
  { row, key, is, isOneLine }: Sought,
  signal: AbortSignal,
): Promise<RowStamp | null> {
  const isStable = before.manifest.hasStableRowIds && after.manifest.hasStableRowIds;
  const isOlder = is === null || is.createdAt <= before.ref.version;
  const rowId = is?.rowId ?? ('rowId' in row ? row.rowId : null);
  if (isOneLine && isStable && isOlder && rowId !== null) {
    const found = await findRow(before, { rowId }, signal);
    if (key === null) return found;
    if (found && JSON.stringify(await readKey(before, found, signal)) === JSON.stringify(key)) return found;
  }
  return key === null ? null : findRow(before, { key }, signal);
}

async function findRow(side: Side, row: Row, signal: AbortSignal): Promise<RowStamp | null> {
  const { table, ref, handle } = side;
  return withLanceErrors({ table, ref }, async () => {
    const id = 'rowId' in row ? Number(row.rowId) : await findIdByKey(side, row.key, signal);
    if (id === null) return null;
    const reading = { [createdColumn]: createdColumn, [updatedColumn]: updatedColumn };
    const { ids, columns } = await readRowsById(handle, Float64Array.of(id), reading, signal);
    if (ids.length === 0) return null;
    const [createdAt, lastUpdated] = [createdColumn, updatedColumn].map(
      (name) => numbersOf(columns.get(name))[0] ?? 0,
    );
    return { rowId: String(ids[0]), createdAt: createdAt!, lastUpdated: lastUpdated! };
  });
}

async function findIdByKey(side: Side, key: RowKey, signal: AbortSignal): Promise<number | null> {
  const keys = keyColumns(side, key);
  if (!keys) return null;
  const [match] = await findRowsByKey(side.handle, keys, signal);
  return match?.id ?? null;
}

/** The key in the side's own types; `null` where the side has no such key. */
function keyColumns(side: Side, key: RowKey): Keys | null {
  if (side.key.length === 0) return null;
  const parts = Array.isArray(key) ? key : [key];
  const fields = side.key.map((name) => side.fields.find((field) => field.name === name)!.arrow);
  if (parts.length !== fields.length)
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The key of ${side.table} is ${side.key.join(', ')}; ${JSON.stringify(key)} has ${parts.length} values.`,
      hint: fields.length > 1 ? 'Write the key as a list, in that order.' : undefined,
    });
  if (parts.includes(null)) return null;
  return {
    fields,
    columns: fields.map((field, at) => columnFromJson(field, [parts[at]], () => 'The key')),
    length: 1,
  };
}

async function readKey(side: Side, { rowId }: RowStamp, signal: AbortSignal): Promise<RowKey | null> {
  if (side.key.length === 0) return null;
  const columns = await readAligned(side, Float64Array.of(Number(rowId)), { names: side.key, signal });
  const parts = side.key.map((name) => dataCellToJson(columns.get(name)!, 0));
  return (parts.length === 1 ? parts[0]! : parts) as RowKey;
}

interface Found {
  before: Side | null;
  after: Side;
  was: RowStamp | null;
  is: RowStamp | null;
  column?: TracedColumn;
}

interface FieldPair {
  was: SideField | null;
  is: SideField;
}

async function readCells(
  { before, after, was, is, column }: Found,
  signal: AbortSignal,
): Promise<CellStep[]> {
  const only = column && (after.fields.find(({ id }) => id === column.id && id >= 0) ?? column);
  const asked = pairFields(before, after).filter(({ is }) => !only || is.name === only.name);
  const shown = asked.filter(({ is }) => !isHiddenColumn(is.arrow));
  const differing =
    before && was && is ? await differingPairs(shown, { before, after, was, is }, signal) : shown;
  const [old, now] = await Promise.all([
    readSide(
      before,
      was,
      differing.map((pair) => pair.was),
      signal,
    ),
    readSide(
      after,
      is,
      differing.map((pair) => pair.is),
      signal,
    ),
  ]);
  return differing
    .map((pair): CellStep => {
      const field = pair.is;
      const [left, right] = [old(pair.was), now(pair.is)];
      return {
        column: field.name,
        formerly: pair.was && pair.was.name !== pair.is.name ? pair.was.name : null,
        type: field.type,
        role: roleOf(field),
        hadColumn: before === null || pair.was !== null,
        before: left.value,
        after: right.value,
        isCut: left.isCut || right.isCut,
      };
    })
    .filter(({ before, after, hadColumn }) => hadColumn || before !== null || after !== null)
    .filter(
      ({ before, after, isCut }) => !was || !is || isCut || !isSameJson(before, after) || !isPlain(after),
    );
}

/** A retyped column whose value reads as before is no change; of media only the size is known here. */
const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Columns by their field ids, which a rename keeps; else by name. A column that was dropped is no changed cell. */
function pairFields(before: Side | null, after: Side): FieldPair[] {
  return after.fields.map((is) => {
    const sameName = before?.fields.find(({ name }) => name === is.name) ?? null;
    const sameId =
      before?.fields.find(
        ({ id, name, type }) =>
          id === is.id && id >= 0 && type === is.type && after.fields.every((field) => field.name !== name),
      ) ?? null;
    return { was: sameName ?? sameId, is };
  });
}

async function differingPairs(
  pairs: FieldPair[],
  { before, after, was, is }: { before: Side; after: Side; was: RowStamp; is: RowStamp },
  signal: AbortSignal,
): Promise<FieldPair[]> {
  const comparable = [...pairs.keys()].filter((at) => pairs[at]!.was?.type === pairs[at]!.is.type);
  const differs = await compareInPlace(
    {
      columns: comparable,
      baseIds: Float64Array.of(Number(was.rowId)),
      sideIds: Float64Array.of(Number(is.rowId)),
    },
    {
      a: before,
      b: after,
      columnOf: (column) => ({
        column,
        baseName: pairs[column]!.was!.name,
        sideName: pairs[column]!.is.name,
        as: null,
      }),
      signal,
    },
  );
  return pairs.filter((_pair, at) => differs.has(at) || !comparable.includes(at));
}

const roleOf = ({ arrow, name, type }: SideField): CellStep['role'] =>
  parseFieldFacts(arrow.metadata).role ?? guessRole({ name, type: parseColumnType(type) });

async function readSide(
  side: Side | null,
  row: RowStamp | null,
  fields: readonly (SideField | null)[],
  signal: AbortSignal,
): Promise<(field: SideField | null) => ReturnType<typeof previewCell>> {
  const nothing = { value: null, isCut: false };
  const names = fields.flatMap((field) => field?.name ?? []);
  if (!side || !row || names.length === 0) return () => nothing;
  const data = await readAligned(side, Float64Array.of(Number(row.rowId)), { names, signal });
  return (field) => {
    const column = field && data.get(field.name);
    if (!field || !column) return nothing;
    const { isBlob } = field;
    return previewCell({ type: parseColumnType(field.type), role: roleOf(field), isBlob }, column, 0);
  };
}
