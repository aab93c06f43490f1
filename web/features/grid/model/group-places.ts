/** A group of neighbours in a sorted result. */
export interface RowGroup {
  /** Tells it from the others: the row id of its first row. */
  id: string;
  /** What its rows share. */
  value: unknown;
  /** Position of its first row in the result. */
  start: number;
  rows: number;
}

export type GroupPlace =
  | { kind: 'head'; group: number }
  /** A row, by its position in the result. */
  | { kind: 'row'; position: number };

/** Lines of a grouped result: one for the head of each group, then its rows unless it is folded. */
export interface GroupPlaces {
  /** Heads and rows. */
  total: number;
  at(line: number): GroupPlace;
  /** The line of a row; of its group's head where that is folded. */
  lineOf(position: number): number;
  headLine(group: number): number;
}

/** Lays groups out that follow each other without gaps. */
export function planGroupPlaces(
  groups: readonly RowGroup[],
  isFolded: (group: RowGroup) => boolean,
): GroupPlaces {
  const heads = new Float64Array(groups.length + 1);
  groups.forEach((group, i) => {
    heads[i + 1] = (heads[i] as number) + 1 + (isFolded(group) ? 0 : group.rows);
  });
  const last = (holds: (group: number) => boolean): number => {
    let [low, high] = [0, Math.max(0, groups.length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (holds(middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    total: heads[groups.length] as number,
    at(line) {
      const group = last((i) => (heads[i] as number) <= line);
      const within = line - (heads[group] as number);
      const start = groups[group]?.start ?? 0;
      return within === 0 ? { kind: 'head', group } : { kind: 'row', position: start + within - 1 };
    },
    lineOf(position) {
      const group = last((i) => (groups[i] as RowGroup).start <= position);
      const found = groups[group];
      const head = heads[group] as number;
      return found && !isFolded(found) ? head + 1 + position - found.start : head;
    },
    headLine: (group) => heads[group] as number,
  };
}
