import type { Conflict } from '#shared/api/edits.ts';
import { columnsOfRow } from '#shared/domain/bits.ts';
import { isMediaType } from '#shared/domain/column-role.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import { conflictKind } from '#shared/domain/diff.ts';
import type { Data } from '../../../arrow/arrow.ts';
import { dataCellToJson, type JsonCell } from '../../../arrow/cell-json.ts';
import { offsetAt } from '../../../arrow/gather.ts';
import { makeBlobCell } from '../rows/blob-cells.ts';
import { blobSizes } from './blob-cells.ts';
import type { ColumnDispute, Comparison } from './comparison.ts';
import { readAligned } from './read-aligned.ts';
import type { MergeScope } from './restrict.ts';
import type { SideField } from './side.ts';
import { shownName } from './summarize.ts';

const kindNames = ['cell', 'cell', 'removed-modified', 'modified-removed', 'added-added'] as const;

export interface OpenConflicts {
  cells: readonly { row: number; column: number | null }[];
  disputes: readonly ColumnDispute[];
}

/** Conflicts with the values of the three sides, as JSON. Where one side removed a row, the cells that the other changed. */
export async function listConflicts(
  { comparison, ordered }: MergeScope,
  { cells, disputes }: OpenConflicts,
  signal: AbortSignal,
): Promise<Conflict[]> {
  const read = await readValues(comparison, cells, signal);
  const listed = cells.map(({ row, column }): Conflict => {
    const valuesOf = (name: Name): unknown => {
      if (comparison.ids[name][row]! < 0) return null;
      if (column !== null) return read(name, row, column);
      const changed = columnsOfRow(comparison.conflicts.cells, row);
      return Object.fromEntries(changed.map((each) => [shownName(comparison, each), read(name, row, each)]));
    };
    return {
      key: keyJson(ordered, row),
      kind: kindNames[comparison.conflicts.kinds[row]!] ?? 'cell',
      column: column === null ? null : shownName(comparison, column),
      base: comparison.conflicts.kinds[row] === conflictKind.addedAdded ? null : valuesOf('base'),
      from: valuesOf('from'),
      into: valuesOf('into'),
    };
  });
  return [...disputes.map((dispute) => disputeAsConflict(comparison, dispute)), ...listed];
}

type Name = 'base' | 'from' | 'into';

/** One value, or a list where the key has several columns. */
function keyJson({ keys }: MergeScope['ordered'], row: number): JsonCell {
  const parts = keys.columns.map((column) => dataCellToJson(column, row));
  return parts.length === 1 ? parts[0]! : parts;
}

/** A column as a whole: its name and type on each side, null where it was dropped. The key is null. */
function disputeAsConflict(comparison: Comparison, { column }: ColumnDispute): Conflict {
  const plan = comparison.columns[column]!;
  const say = (field: SideField | null): string | null => field && `${field.name} ${field.type}`;
  return {
    key: null,
    kind: 'cell',
    column: shownName(comparison, column),
    base: say(plan.base),
    from: say(plan.from),
    into: say(plan.into),
  };
}

async function readValues(
  comparison: Comparison,
  cells: OpenConflicts['cells'],
  signal: AbortSignal,
): Promise<(name: Name, row: number, column: number) => JsonCell> {
  const rows = [...new Set(cells.map(({ row }) => row))];
  const columns = [
    ...new Set(
      cells.flatMap(({ row, column }) =>
        column === null ? columnsOfRow(comparison.conflicts.cells, row) : [column],
      ),
    ),
  ];
  const values = new Map<
    Name,
    { places: Map<number, number>; cells: Map<number, (place: number) => JsonCell> }
  >();
  for (const name of ['base', 'from', 'into'] as const) {
    const present = rows.filter((row) => comparison.ids[name][row]! >= 0);
    const asked = columns.filter((column) => comparison.columns[column]![name] !== null);
    const ids = Float64Array.from(present, (row) => comparison.ids[name][row]!);
    const names = asked.map((column) => comparison.columns[column]![name]!.name);
    const data = await readAligned(comparison[name], ids, { names, signal });
    values.set(name, {
      places: new Map(present.map((row, at) => [row, at])),
      cells: new Map(
        asked.map((column) => {
          const field = comparison.columns[column]![name]!;
          return [column, jsonOf(field, data.get(field.name)!)];
        }),
      ),
    });
  }
  return (name, row, column) => {
    const side = values.get(name)!;
    const place = side.places.get(row);
    return place === undefined ? null : (side.cells.get(column)?.(place) ?? null);
  };
}

/** Media are told by their size: bytes never travel with rows. */
function jsonOf(field: SideField, data: Data): (place: number) => JsonCell {
  const type = parseColumnType(field.type);
  if (!isMediaType(type)) return (place) => dataCellToJson(data, place);
  const sizes = field.isBlob ? blobSizes(data) : null;
  const sizeOf = (place: number): number | null => {
    if (sizes) return sizes[place] ?? null;
    return data.getValid(place) && type.kind !== 'struct'
      ? offsetAt(data, place + 1) - offsetAt(data, place)
      : null;
  };
  return (place) => {
    const sizeBytes = sizeOf(place);
    return sizeBytes === null
      ? null
      : { ...makeBlobCell({ sizeBytes, contentType: null, hash: null, role: 'blob' }), url: null };
  };
}
