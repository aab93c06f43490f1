/** A few dozen rows that are laid out together; a folded group has a block without rows. */
export interface GalleryBlock {
  /** Position of its first row. */
  start: number;
  rows: number;
  /** Which group's head stands over it; null for none. */
  head: number | null;
}

export interface BlockPlan {
  count: number;
  at(block: number): GalleryBlock;
  /** The block of a row; that of its group's head where it is folded. */
  blockOf(position: number): number;
  /** Rows up to the end of the last block, folded ones among them. */
  end: number;
}

interface PlanOptions {
  total: number;
  blockRows: number;
  /** Blocks beyond are left out: taller than a browser's page can be. */
  mostBlocks: number;
}

/** Blocks of a result without groups, one like the other. */
export function planBlocks({ total, blockRows, mostBlocks }: PlanOptions): BlockPlan {
  const count = Math.min(Math.ceil(total / blockRows), mostBlocks);
  return {
    count,
    at: (block) => ({
      start: block * blockRows,
      rows: Math.max(0, Math.min(blockRows, total - block * blockRows)),
      head: null,
    }),
    blockOf: (position) => Math.max(0, Math.min(count - 1, Math.floor(position / blockRows))),
    end: Math.min(total, count * blockRows),
  };
}

/** Blocks that begin anew with every group. */
export function planGroupedBlocks(
  groups: readonly { start: number; rows: number; isFolded: boolean }[],
  { blockRows, mostBlocks }: Omit<PlanOptions, 'total'>,
): BlockPlan {
  const blocks: GalleryBlock[] = [];
  let end = 0;
  for (const [head, { start, rows, isFolded }] of groups.entries()) {
    const shown = isFolded ? 0 : rows;
    for (let at = 0; blocks.length < mostBlocks && (at < shown || at === 0); at += blockRows) {
      blocks.push({
        start: start + at,
        rows: Math.max(0, Math.min(blockRows, shown - at)),
        head: at === 0 ? head : null,
      });
      end = isFolded ? start + rows : start + Math.min(rows, at + blockRows);
    }
    if (blocks.length >= mostBlocks) break;
  }
  return {
    count: blocks.length,
    at: (block) => blocks[block] ?? { start: 0, rows: 0, head: null },
    blockOf(position) {
      let [low, high] = [0, Math.max(0, blocks.length - 1)];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((blocks[middle] as GalleryBlock).start <= position) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    end,
  };
}
