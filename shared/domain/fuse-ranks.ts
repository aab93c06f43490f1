/** The constant of reciprocal rank fusion: how much the first places count more than the later ones. */
export const fusionConstant = 60;

export interface FusedRow<Id> {
  id: Id;
  /** Sum of 1 / (60 + rank) over the lists that have the row. */
  score: number;
  /** Place in each list, from 1; null where a list does not have the row. */
  ranks: (number | null)[];
}

/**
 * Joins ranked lists without comparing their scores (G. V. Cormack et al., Reciprocal Rank Fusion, SIGIR 2009). Best
 * first; equal scores keep the order of the lists.
 */
export function fuseRanks<Id>(lists: readonly (readonly Id[])[]): FusedRow<Id>[] {
  const rows = new Map<Id, FusedRow<Id>>();
  lists.forEach((list, which) => {
    list.forEach((id, at) => {
      let row = rows.get(id);
      if (!row) {
        row = { id, score: 0, ranks: lists.map(() => null) };
        rows.set(id, row);
      }
      if (row.ranks[which] !== null) return;
      row.ranks[which] = at + 1;
      row.score += 1 / (fusionConstant + at + 1);
    });
  });
  return [...rows.values()].sort((a, b) => b.score - a.score);
}
