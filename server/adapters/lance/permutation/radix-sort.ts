/** One column of a sort as unsigned 32-bit words, the most significant first: comparing words compares values. */
export interface SortKey {
  words: Uint32Array[];
  /** 1 where the value is null. */
  nulls: Uint8Array | null;
  desc: boolean;
  /** Nulls come last whichever way the others go, unless they are to come first. */
  hasNullsFirst: boolean;
}

const digitBits = 11;
const digitCount = 1 << digitBits;
const digitMask = digitCount - 1;

/** One stable pass by eleven bits of a word; says whether the order may have changed. */
function pass({
  words,
  shift,
  flip,
  from,
  to,
}: {
  words: Uint32Array;
  shift: number;
  flip: number;
  from: Uint32Array;
  to: Uint32Array;
}): boolean {
  const counts = new Uint32Array(digitCount);
  for (let i = 0; i < from.length; i++) counts[((words[from[i]!]! ^ flip) >>> shift) & digitMask]!++;
  if (from.length > 0 && counts[((words[from[0]!]! ^ flip) >>> shift) & digitMask] === from.length)
    return false;
  let sum = 0;
  for (let digit = 0; digit < digitCount; digit++) {
    const count = counts[digit]!;
    counts[digit] = sum;
    sum += count;
  }
  for (let i = 0; i < from.length; i++) {
    const row = from[i]!;
    to[counts[((words[row]! ^ flip) >>> shift) & digitMask]!++] = row;
  }
  return true;
}

function sortByKey(
  order: Uint32Array,
  spare: Uint32Array,
  { words, nulls, desc, hasNullsFirst }: SortKey,
): [Uint32Array, Uint32Array] {
  let from = order;
  let to = spare;
  const flip = desc ? 0xffff_ffff : 0;
  for (let w = words.length - 1; w >= 0; w--) {
    for (let shift = 0; shift < 32; shift += digitBits) {
      if (pass({ words: words[w]!, shift, flip, from, to })) [from, to] = [to, from];
    }
  }
  if (!nulls) return [from, to];
  const first = hasNullsFirst ? 1 : 0;
  let at = 0;
  for (let i = 0; i < from.length; i++) if (nulls[from[i]!] === first) to[at++] = from[i]!;
  for (let i = 0; i < from.length; i++) if (nulls[from[i]!] !== first) to[at++] = from[i]!;
  return [to, from];
}

/** The rows in the order of the keys, the first key first. Stable: rows that are equal keep the order they came in. `rows` is given away. */
export function sortRows(keys: readonly SortKey[], rows: Uint32Array): Uint32Array {
  let order = rows;
  let spare: Uint32Array = new Uint32Array(rows.length);
  for (const key of [...keys].reverse()) [order, spare] = sortByKey(order, spare, key);
  return order;
}

const topBits = 16;

/** The first `count` rows of {@link sortRows} over all rows, without sorting the rest; null when that would not be quicker. */
export function firstRows(keys: readonly SortKey[], rowCount: number, count: number): Uint32Array | null {
  const [first] = keys;
  const top = first?.words[0];
  if (!first || !top || count * 16 > rowCount || (first.nulls && first.hasNullsFirst)) return null;
  const flip = first.desc ? 0xffff_ffff : 0;
  const bucketOf = (row: number): number => (top[row]! ^ flip) >>> (32 - topBits);
  const counts = new Uint32Array(1 << topBits);
  for (let row = 0; row < rowCount; row++)
    if (!first.nulls || first.nulls[row] === 0) counts[bucketOf(row)]!++;
  let found = 0;
  let last = 0;
  while (last < counts.length && found + counts[last]! < count) found += counts[last++]!;
  if (last === counts.length) return null;
  const candidateCount = found + counts[last]!;
  if (candidateCount * 4 > rowCount) return null;
  const candidates = new Uint32Array(candidateCount);
  let at = 0;
  for (let row = 0; row < rowCount; row++) {
    if ((!first.nulls || first.nulls[row] === 0) && bucketOf(row) <= last) candidates[at++] = row;
  }
  return sortRows(keys, candidates).subarray(0, count);
}

/** Rows 0 to `count` - 1. */
export function rowsFromZero(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  return rows;
}
