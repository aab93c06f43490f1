import { rowsFromZero, sortRows } from './radix-sort.ts';

/** Texts as slices of one buffer. */
export interface Texts {
  bytes: Uint8Array;
  /** One more than there are texts. */
  ends: Float64Array;
}

const smallRun = 24;
const stepBytes = 8;

interface Run {
  start: number;
  end: number;
  depth: number;
}

/** Compares two texts by their bytes from `depth` on: the order of Unicode code points. */
function compareFrom({ bytes, ends }: Texts, a: number, b: number, depth: number): number {
  const startA = ends[a]! + depth;
  const startB = ends[b]! + depth;
  const length = Math.min(ends[a + 1]! - startA, ends[b + 1]! - startB);
  for (let i = 0; i < length; i++) {
    const difference = bytes[startA + i]! - bytes[startB + i]!;
    if (difference !== 0) return difference;
  }
  return ends[a + 1]! - startA - (ends[b + 1]! - startB);
}

/** Four bytes of a text as one word; past its end, zeros. */
function wordAt({ bytes, ends }: Texts, row: number, depth: number): number {
  const start = ends[row]! + depth;
  const end = ends[row + 1]!;
  let word = 0;
  for (let i = 0; i < 4; i++) word = (word << 8) | (start + i < end ? bytes[start + i]! : 0);
  return word >>> 0;
}

/** How many bytes from `depth` on all texts of a run share. */
function sharedBytes(texts: Texts, order: Uint32Array, { start, end, depth }: Run): number {
  const { bytes, ends } = texts;
  const first = order[start]!;
  let shared = ends[first + 1]! - ends[first]! - depth;
  for (let i = start + 1; i < end && shared > 0; i++) {
    const row = order[i]!;
    shared = Math.min(shared, ends[row + 1]! - ends[row]! - depth);
    let same = 0;
    while (same < shared && bytes[ends[first]! + depth + same] === bytes[ends[row]! + depth + same]) same++;
    shared = same;
  }
  return Math.max(0, shared);
}

/** Sorts a run by its next eight bytes and gives the runs that are still the same. */
function splitRun(texts: Texts, order: Uint32Array, run: Run): Run[] {
  const depth = run.depth + sharedBytes(texts, order, run);
  const rows = order.slice(run.start, run.end);
  const high = new Uint32Array(rows.length);
  const low = new Uint32Array(rows.length);
  const left = new Uint32Array(rows.length);
  rows.forEach((row, i) => {
    high[i] = wordAt(texts, row, depth);
    low[i] = wordAt(texts, row, depth + 4);
    left[i] = Math.min(stepBytes + 1, Math.max(0, texts.ends[row + 1]! - texts.ends[row]! - depth));
  });
  const sorted = sortRows(
    [{ words: [high, low, left], nulls: null, desc: false, hasNullsFirst: false }],
    rowsFromZero(rows.length),
  );
  const runs: Run[] = [];
  let start = 0;
  for (let i = 0; i < sorted.length; i++) {
    const at = sorted[i]!;
    order[run.start + i] = rows[at]!;
    const next = sorted[i + 1];
    const isSame =
      next !== undefined && high[next] === high[at] && low[next] === low[at] && left[next] === left[at];
    if (isSame) continue;
    if (i > start && left[at]! > stepBytes)
      runs.push({ start: run.start + start, end: run.start + i + 1, depth: depth + stepBytes });
    start = i + 1;
  }
  return runs;
}

/** Puts a number to each text so that numbers compare as the texts do by their bytes, and equal texts share one. */
export function rankTexts(texts: Texts): Uint32Array {
  const count = texts.ends.length - 1;
  const order = rowsFromZero(count);
  const runs: Run[] = count > 1 ? [{ start: 0, end: count, depth: 0 }] : [];
  for (let run = runs.pop(); run; run = runs.pop()) {
    const { start, end, depth } = run;
    if (end - start > smallRun) runs.push(...splitRun(texts, order, run));
    else order.subarray(start, end).sort((a, b) => compareFrom(texts, a, b, depth));
  }
  const ranks = new Uint32Array(count);
  let rank = 0;
  for (let i = 1; i < count; i++) {
    if (compareFrom(texts, order[i - 1]!, order[i]!, 0) !== 0) rank += 1;
    ranks[order[i]!] = rank;
  }
  return ranks;
}
