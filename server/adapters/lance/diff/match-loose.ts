import { hasNullKey, type Keys, type KeyToken, keyLabel, keyTokens } from '../write-keys.ts';
import type { DeltaInput, Loose, Paired } from './delta-parts.ts';
import { emptyPairs, Pairs } from './id-lists.ts';
import { pairByContent } from './pair-by-content.ts';
import { pickKeys, readKeys } from './read-aligned.ts';

interface Matched extends Paired {
  addedKeys: Keys | null;
  duplicateKeys: string[];
  keylessRows: number;
}

const maxNamedDuplicates = 10;

/** Pairs rows of one key. */
export async function pairByKey(
  { gone, come }: Loose,
  { base, side, key, signal }: DeltaInput,
): Promise<Matched> {
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

/** Pairs rows of one content, in tables that have neither key nor stable row ids. */
export async function pairByBytes(
  loose: Loose,
  { base, side, columns, sharedRowIds, signal }: DeltaInput,
): Promise<Matched> {
  const none = { addedKeys: null, duplicateKeys: [], keylessRows: 0 };
  if (sharedRowIds > 0 || loose.gone.length === 0 || loose.come.length === 0)
    return { pairs: emptyPairs(), rest: loose, ...none };
  return { ...(await pairByContent({ base, side, columns, ...loose, signal })), ...none };
}
