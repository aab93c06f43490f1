import type { Keys } from '../write-keys.ts';
import { rowPositions } from '../write-read.ts';
import type { DeltaInput, Loose, Paired } from './delta-parts.ts';
import { fewRows } from './few-rows.ts';
import { type Candidates, type ComparedColumn, findCandidates, type PairedRows } from './find-candidates.ts';
import { emptyPairs, type IdPairs, joinIds, Pairs } from './id-lists.ts';
import { pairByBytes, pairByKey } from './match-loose.ts';
import type { Side } from './side.ts';
import { splitByKey } from './split-by-key.ts';
import type { ChangedFields } from './trust-versions.ts';

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
