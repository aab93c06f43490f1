/** One near row of a vector, on one side. */
export interface Neighbour {
  /** The same for the same row on both sides. */
  id: string;
  distance: number;
}

export interface NeighbourChange<N extends Neighbour> {
  neighbour: N;
  /** Of an old one: whether it stays; of a new one: whether it was there. */
  state: 'same' | 'removed' | 'added';
}

/** What became of the rows near a vector when it changed. */
export function planNeighbours<N extends Neighbour>(
  before: readonly N[],
  after: readonly N[],
): { before: NeighbourChange<N>[]; after: NeighbourChange<N>[]; kept: number } {
  const old = new Set(before.map(({ id }) => id));
  const next = new Set(after.map(({ id }) => id));
  return {
    before: before.map((neighbour) => ({ neighbour, state: next.has(neighbour.id) ? 'same' : 'removed' })),
    after: after.map((neighbour) => ({ neighbour, state: old.has(neighbour.id) ? 'same' : 'added' })),
    kept: before.filter(({ id }) => next.has(id)).length,
  };
}
