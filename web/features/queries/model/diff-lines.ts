/** A line of two texts side by side; `same` stands in both. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** More lines than that on both sides are shown as one text replaced by the other. */
const maxCells = 4_000_000;

/** What turns one text into another, line by line, by their longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end += 1;
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  const middle = diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [...same(old.slice(0, start)), ...middle, ...same(end === 0 ? [] : old.slice(-end))];
}

function diffMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed = old.map((text): DiffLine => ({ kind: 'removed', text }));
  const added = now.map((text): DiffLine => ({ kind: 'added', text }));
  const width = now.length + 1;
  if (old.length === 0 || now.length === 0 || (old.length + 1) * width > maxCells)
    return [...removed, ...added];
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push({ kind: 'same', text: old[row] ?? '' });
      row += 1;
      column += 1;
    } else if (column >= now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed[row] as DiffLine);
      row += 1;
    } else {
      lines.push(added[column] as DiffLine);
      column += 1;
    }
  }
  return lines;
}
