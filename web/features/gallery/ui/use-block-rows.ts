import { useRef } from 'react';
import type { GridRow, RowSource } from '../../grid/index.ts';

type Rows = readonly (GridRow | undefined)[];

/** The rows of the blocks in sight, each the same list as before while its rows are: scrolling draws no block anew. */
export function useBlockRows(source: RowSource): (start: number, count: number) => Rows {
  const kept = useRef({ before: new Map<string, Rows>(), now: new Map<string, Rows>() });
  kept.current = { before: kept.current.now, now: new Map() };
  const { before, now } = kept.current;
  return (start, count) => {
    const key = `${start}+${count}`;
    const rows = Array.from({ length: count }, (_none, at) => source.rowAt(start + at));
    const old = before.get(key);
    const same = old?.every((row, at) => row === rows[at]) ? old : rows;
    now.set(key, same);
    return same;
  };
}
