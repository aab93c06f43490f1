import type { Data, DataType } from '../../../arrow/arrow.ts';
import { createCellsEqual } from '../../../arrow/cells-equal.ts';
import { hasNullKey, type Keys, type KeyToken, keyLabel, keyTokens } from '../write-keys.ts';
import { rowPositions } from '../write-read.ts';
import { rowsPerBlock } from './block-rows.ts';
import { fewRows } from './few-rows.ts';
import {
  type Candidates,
  type ComparedColumn,
  findCandidates,
  type PairedRows,
  type TrustVersions,
} from './find-candidates.ts';
import { emptyPairs, flagged, type IdPairs, joinIds, Pairs, pickIds } from './id-lists.ts';
import { pairByContent } from './pair-by-content.ts';
import { pickKeys, readKeys } from './read-aligned.ts';
import { isScan, keepBlock, readBlock } from './read-block.ts';
import type { Side } from './side.ts';
import type { ChangedFields } from './trust-versions.ts';

/** A column that both sides have. */
export interface SharedColumn {
  /** Its number in the comparison. */
  column: number;
  baseName: string;
  sideName: string;
  /** The type as which both are read, where they have two. */
  as: DataType | null;
}

export interface DeltaInput {
  base: Side;
  side: Side;
  /** Columns that are compared; the key is not among them. */
  columns: readonly SharedColumn[];
  /** The key columns, in their order; empty where rows are known by their ids only. */
  key: readonly SharedColumn[];
  trust: TrustVersions;
  /** Asked only where many rows would have to be read. */
  changedFields: ChangedFields;
  /** Row ids below it mean the same row on both sides; 0 where they say nothing. */
  sharedRowIds: number;
  signal: AbortSignal;
}

/** What one side did since base, before any cell is compared. */
export interface SideDelta {
  added: Float64Array;
  removed: Float64Array;
  /** Keys of the added rows, where the table has a key. */
  addedKeys: Keys | null;
  /** Rows of both sides whose cells can differ. */
  pairs: PairedRows[];
  /** Rows whose key stands twice on one side, as text, some of them. */
  duplicateKeys: string[];
  /** Rows that have no key. */
  keylessRows: number;
  /** Where a row of base that is still there lies on this side. */
  sideIdOf(baseId: number): number;
}

interface Loose {
  gone: Float64Array;
  come: Float64Array;
}

/**
 * Which rows one side added, removed and may have changed since base. Rows are the same when they lie in the same place,
 * else when they have the same stable row id, and in tables with a key only when the key is the same too; what is left
 * is matched by key. A row that was deleted and added again under its key is one changed row.
 */
export async function findDelta(input: DeltaInput): Promise<SideDelta> {
  const { base, side, columns, key } = input;
  const compared = [...columns, ...key].map(({ column, baseName, sideName }) => ({
    column,
    baseIds: partsOf(base, baseName),
    sideIds: partsOf(side, sideName),
  }));
  const candidates = await findCandidates(base, side, { columns: compared, trust: input.trust });
  const byId = await pairByRowId(candidates, input);
  const placed = await splitByKey(candidates.placed, input);
  const canDiffer = await mayDiffer(compared, byId.pairs, input.changedFields);
  const movedColumns = columns.map(({ column }) => column).filter(canDiffer);
  const moved = await splitByKey(
    [{ columns: movedColumns, ...byId.pairs }],
    input,
    key.some(({ column }) => canDiffer(column)),
  );
  const loose: Loose = {
    gone: joinIds([byId.rest.gone, placed.rest.gone, moved.rest.gone]),
    come: joinIds([byId.rest.come, placed.rest.come, moved.rest.come]),
  };
  const matched = key.length > 0 ? await pairByKey(loose, input) : await pairByBytes(loose, input);
  const matchedRows = { columns: columns.map(({ column }) => column), ...matched.pairs };
  return {
    added: matched.rest.come,
    removed: matched.rest.gone,
    addedKeys: matched.addedKeys,
    pairs: [...placed.pairs, ...moved.pairs, matchedRows].filter(({ baseIds }) => baseIds.length > 0),
    duplicateKeys: matched.duplicateKeys,
    keylessRows: matched.keylessRows,
    sideIdOf: movesOf(matchedRows),
  };
}

/** Which columns can differ at all in rows with one id on both sides. */
async function mayDiffer(
  compared: readonly ComparedColumn[],
  { baseIds: rows }: IdPairs,
  changedFields: ChangedFields,
): Promise<(column: number) => boolean> {
  const changed = rows.length > fewRows ? await changedFields() : null;
  if (!changed) return () => true;
  const untouched = compared.filter(
    ({ baseIds, sideIds }) =>
      baseIds.length > 0 && baseIds.join() === sideIds.join() && !baseIds.some((id) => changed.has(id)),
  );
  const numbers = new Set(untouched.map(({ column }) => column));
  return (column) => !numbers.has(column);
}

const partsOf = (side: Side, name: string): readonly number[] =>
  side.fields.find((field) => field.name === name)?.partIds ?? [];

/** Rows that were matched by key or content may have another id; all others keep theirs. */
function movesOf({ baseIds, sideIds }: PairedRows): (baseId: number) => number {
  const moves = new Map<number, number>();
  for (let row = 0; row < baseIds.length; row++)
    if (baseIds[row] !== sideIds[row]) moves.set(baseIds[row]!, sideIds[row]!);
  return (baseId) => moves.get(baseId) ?? baseId;
}

interface Paired {
  pairs: IdPairs;
  rest: Loose;
}

async function pairByRowId({ gone, come }: Candidates, { trust, sharedRowIds }: DeltaInput): Promise<Paired> {
  if (sharedRowIds === 0 || gone.ids.length === 0 || come.ids.length === 0)
    return { pairs: emptyPairs(), rest: { gone: gone.ids, come: come.ids } };
  const isUntouched = Math.min(gone.ids.length, come.ids.length) > fewRows ? await trust() : null;
  const positionOf = rowPositions(come.ids);
  const isTaken = new Uint8Array(come.ids.length);
  const pairs = new Pairs(Math.min(gone.ids.length, come.ids.length));
  const left = new Float64Array(gone.ids.length);
  let leftCount = 0;
  for (let row = 0; row < gone.ids.length; row++) {
    const id = gone.ids[row]!;
    const position = id < sharedRowIds ? positionOf(id) : -1;
    if (position === -1) left[leftCount++] = id;
    else {
      isTaken[position] = 1;
      if (!isUntouched?.(gone.updates[row]!, come.updates[position]!)) pairs.add(id, id);
    }
  }
  return {
    pairs: pairs.rows(),
    rest: { gone: left.slice(0, leftCount), come: come.ids.filter((_id, row) => isTaken[row] === 0) },
  };
}

/** Takes apart pairs whose keys differ. `all`: the key may differ anywhere, not only where its files do. */
async function splitByKey(
  groups: readonly PairedRows[],
  input: DeltaInput,
  all = false,
): Promise<{ pairs: PairedRows[]; rest: Loose }> {
  const { base, side, key, signal } = input;
  const keyColumns = new Set(key.map(({ column }) => column));
  const pairs: PairedRows[] = [];
  const rest: Loose = { gone: new Float64Array(0), come: new Float64Array(0) };
  for (const group of groups) {
    const columns = group.columns.filter((column) => !keyColumns.has(column));
    const mustLook =
      key.length > 0 && group.baseIds.length > 0 && (all || columns.length < group.columns.length);
    if (!mustLook) {
      if (columns.length > 0) pairs.push({ ...group, columns });
      continue;
    }
    const ahead = input.columns.filter(({ column }) => columns.includes(column));
    const flags = await sameKeys(group, { base, side, key, ahead, signal });
    if (!flags.includes(0)) {
      if (columns.length > 0) pairs.push({ ...group, columns });
      continue;
    }
    const [same, other] = [flagged(flags), flagged(flags, 0)];
    if (columns.length > 0)
      pairs.push({
        columns,
        baseIds: pickIds(group.baseIds, same),
        sideIds: pickIds(group.sideIds, same),
      });
    rest.gone = joinIds([rest.gone, pickIds(group.baseIds, other)]);
    rest.come = joinIds([rest.come, pickIds(group.sideIds, other)]);
  }
  return { pairs, rest };
}

interface AheadInput {
  /** Columns that are compared once the keys are. */
  ahead: readonly SharedColumn[];
}

/** Reads the cells of the rows along with their keys where they fit: they are compared next. */
async function sameKeys(
  { baseIds, sideIds }: PairedRows,
  { base, side, key, ahead, signal }: Pick<DeltaInput, 'base' | 'side' | 'key' | 'signal'> & AheadInput,
): Promise<Uint8Array> {
  const isFew =
    baseIds.length <=
    rowsPerBlock(
      base,
      ahead.map(({ baseName }) => baseName),
    );
  const shared = isFew && !isScan(base, baseIds.length) ? [...key, ...ahead.filter(({ as }) => !as)] : key;
  const columns = (name: 'baseName' | 'sideName') => shared.map((each) => ({ name: each[name] }));
  const [was, is] = await Promise.all([
    readBlock(base, baseIds, { columns: columns('baseName'), signal }),
    readBlock(side, sideIds, { columns: columns('sideName'), signal }),
  ]);
  if (shared !== key) {
    keepBlock(base, baseIds, was);
    keepBlock(side, sideIds, is);
  }
  const equal = key.map(({ baseName, sideName }) =>
    createCellsEqual(was.columns.get(baseName) as Data, is.columns.get(sideName) as Data),
  );
  const result = new Uint8Array(baseIds.length);
  for (let row = 0; row < result.length; row++)
    result[row] = equal.every((same) => same(was.rowOf[row]!, is.rowOf[row]!)) ? 1 : 0;
  return result;
}

interface Matched extends Paired {
  addedKeys: Keys | null;
  duplicateKeys: string[];
  keylessRows: number;
}

const maxNamedDuplicates = 10;

async function pairByKey({ gone, come }: Loose, { base, side, key, signal }: DeltaInput): Promise<Matched> {
  const [was, is] = await Promise.all([
    readKeys(
      base,
      gone,
      key.map(({ baseName }) => baseName),
      signal,
    ),
    readKeys(
      side,
      come,
      key.map(({ sideName }) => sideName),
      signal,
    ),
  ]);
  const duplicates = new Set<string>();
  const rowsByKey = (keys: Keys): Map<KeyToken, number> => {
    const rows = new Map<KeyToken, number>();
    const tokenOf = keyTokens(keys);
    for (let row = 0; row < keys.length; row++) {
      if (hasNullKey(keys, row)) continue;
      const token = tokenOf(row);
      if (!rows.has(token)) rows.set(token, row);
      else if (duplicates.size < maxNamedDuplicates) duplicates.add(keyLabel(keys, row));
    }
    return rows;
  };
  const comeRows = rowsByKey(is);
  const pairs = new Pairs(Math.min(gone.length, come.length));
  const goneTaken = new Uint8Array(gone.length);
  const comeTaken = new Uint8Array(come.length);
  for (const [token, row] of rowsByKey(was)) {
    const other = comeRows.get(token);
    if (other === undefined) continue;
    goneTaken[row] = 1;
    comeTaken[other] = 1;
    pairs.add(gone[row]!, come[other]!);
  }
  const added = come.filter((_id, row) => comeTaken[row] === 0);
  const addedAt = Int32Array.from(come.keys()).filter((row) => comeTaken[row] === 0);
  return {
    pairs: pairs.rows(),
    rest: { gone: gone.filter((_id, row) => goneTaken[row] === 0), come: added },
    addedKeys: pickKeys(is, addedAt),
    duplicateKeys: [...duplicates],
    keylessRows: countKeyless(was) + countKeyless(is),
  };
}

const countKeyless = (keys: Keys): number => {
  let count = 0;
  for (let row = 0; row < keys.length; row++) if (hasNullKey(keys, row)) count += 1;
  return count;
};

async function pairByBytes(
  loose: Loose,
  { base, side, columns, sharedRowIds, signal }: DeltaInput,
): Promise<Matched> {
  const none = { addedKeys: null, duplicateKeys: [], keylessRows: 0 };
  if (sharedRowIds > 0 || loose.gone.length === 0 || loose.come.length === 0)
    return { pairs: emptyPairs(), rest: loose, ...none };
  return { ...(await pairByContent({ base, side, columns, ...loose, signal })), ...none };
}
