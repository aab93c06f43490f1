/** How two columns hang together, from how often each pair of bins occurs. */
export interface Association {
  /** Spearman’s ρ of two ordered columns (−1 to 1), Cramér’s V of two of values, η of one of each (0 to 1). */
  measure: 'spearman' | 'cramersV' | 'eta';
  /** `null` where one of them does not vary. */
  value: number | null;
  /** Rows with a value in both. */
  rows: number;
}

export interface Contingency {
  /** `cells[a * width + b]` rows; only bins, not null and its kin. */
  cells: ArrayLike<number>;
  height: number;
  width: number;
  isOrdered: readonly [a: boolean, b: boolean];
}

/**
 * Spearman’s ρ over mid-ranks of bins; Cramér’s V with the correction of Bergsma (2013); the correlation ratio η of the
 * mid-ranks of the ordered column over the values of the other.
 */
export function associate({ cells, height, width, isOrdered }: Contingency): Association {
  const inA = new Float64Array(height);
  const inB = new Float64Array(width);
  let rows = 0;
  for (let a = 0; a < height; a++)
    for (let b = 0; b < width; b++) {
      const count = cells[a * width + b]!;
      inA[a]! += count;
      inB[b]! += count;
      rows += count;
    }
  const table = { cells, height, width, inA, inB, rows };
  if (isOrdered[0] && isOrdered[1]) return { measure: 'spearman', value: spearman(table), rows };
  if (!isOrdered[0] && !isOrdered[1]) return { measure: 'cramersV', value: cramersV(table), rows };
  return { measure: 'eta', value: eta(table, isOrdered[0]), rows };
}

interface Table {
  cells: ArrayLike<number>;
  height: number;
  width: number;
  inA: Float64Array;
  inB: Float64Array;
  rows: number;
}

/** The rank that all rows of a bin share, around the middle rank. */
function midRanks(counts: Float64Array, rows: number): Float64Array {
  let before = 0;
  return counts.map((count) => {
    const rank = before + (count + 1) / 2 - (rows + 1) / 2;
    before += count;
    return rank;
  });
}

const weighted = (counts: Float64Array, values: Float64Array): number =>
  counts.reduce((sum, count, at) => sum + count * values[at]! ** 2, 0);

function spearman({ cells, height, width, inA, inB, rows }: Table): number | null {
  const ranksA = midRanks(inA, rows);
  const ranksB = midRanks(inB, rows);
  let together = 0;
  for (let a = 0; a < height; a++)
    for (let b = 0; b < width; b++) together += cells[a * width + b]! * ranksA[a]! * ranksB[b]!;
  const spread = Math.sqrt(weighted(inA, ranksA) * weighted(inB, ranksB));
  return spread === 0 ? null : clamp(together / spread, -1);
}

function cramersV({ cells, height, width, inA, inB, rows }: Table): number | null {
  const filledA = inA.filter((count) => count > 0).length;
  const filledB = inB.filter((count) => count > 0).length;
  if (filledA < 2 || filledB < 2 || rows < 2) return null;
  let sum = 0;
  for (let a = 0; a < height; a++)
    for (let b = 0; b < width; b++) {
      const product = inA[a]! * inB[b]!;
      if (product > 0) sum += cells[a * width + b]! ** 2 / product;
    }
  const phi2 = Math.max(0, sum - 1 - ((filledA - 1) * (filledB - 1)) / (rows - 1));
  const k = filledA - (filledA - 1) ** 2 / (rows - 1);
  const r = filledB - (filledB - 1) ** 2 / (rows - 1);
  const most = Math.min(k - 1, r - 1);
  return most <= 0 ? null : clamp(Math.sqrt(phi2 / most), 0);
}

function eta({ cells, height, width, inA, inB, rows }: Table, isOrderedA: boolean): number | null {
  const ranks = midRanks(isOrderedA ? inA : inB, rows);
  const groups = isOrderedA ? inB : inA;
  const total = weighted(isOrderedA ? inA : inB, ranks);
  if (total === 0 || groups.filter((count) => count > 0).length < 2) return null;
  const sums = new Float64Array(groups.length);
  for (let a = 0; a < height; a++)
    for (let b = 0; b < width; b++)
      sums[isOrderedA ? b : a]! += cells[a * width + b]! * ranks[isOrderedA ? a : b]!;
  const between = sums.reduce((sum, one, at) => sum + (groups[at]! > 0 ? one ** 2 / groups[at]! : 0), 0);
  return clamp(Math.sqrt(between / total), 0);
}

const clamp = (value: number, least: number): number => Math.max(least, Math.min(1, value));
