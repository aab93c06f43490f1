import type { Data } from '../../../arrow/arrow.ts';
import { createCellsEqual } from '../../../arrow/cells-equal.ts';
import { rowsPerBlock } from './block-rows.ts';
import type { DeltaInput, Loose, SharedColumn } from './delta-parts.ts';
import type { PairedRows } from './find-candidates.ts';
import { flagged, joinIds, pickIds } from './id-lists.ts';
import { isScan, keepBlock, readBlock } from './read-block.ts';

/** Takes apart pairs whose keys differ. `all`: the key may differ anywhere, not only where its files do. */
export async function splitByKey(
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
