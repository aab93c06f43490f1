import { describe, expect, test } from 'vitest';
import { groupSource } from './grouped-source.ts';
import type { GridRow, RowSource } from './row-source.ts';

const sizes = [3, 1, 4, 2];
const groups = sizes.map((rows, i) => ({
  id: `g${i}`,
  value: `v${i}`,
  start: sizes.slice(0, i).reduce((sum, size) => sum + size, 0),
  rows,
}));
const total = 10;

function plainSource() {
  const shown: [number, number][] = [];
  const rows = Array.from(
    { length: total },
    (_none, index): GridRow => ({ index, id: `r${index}`, ref: null, value: () => index }),
  );
  const state = { total, facts: null, isLoading: false, error: null, revision: 1 };
  const source: RowSource = {
    placeKey: 'k',
    subscribe: () => () => {},
    getState: () => state,
    rowAt: (index) => rows[index],
    find: (id) => rows.find((row) => row.id === id),
    show: () => {},
    showSpans: (spans) => void shown.push(...spans.map(({ first, last }): [number, number] => [first, last])),
    idsOf: async (first, last) => rows.slice(first, last + 1).map(({ id }) => id),
    retry: () => {},
    close: () => {},
  };
  return { source, shown };
}

const linesOf = (folded: string[]) => {
  const { source, shown } = plainSource();
  const grouped = groupSource(source, { groups, folded: new Set(folded) });
  const lines = Array.from({ length: grouped.getState().total ?? 0 }, (_none, index) => {
    const head = grouped.headAt(index);
    return head ? `${head.value} ${head.rows}${head.isFolded ? ' folded' : ''}` : grouped.rowAt(index)?.id;
  });
  return { grouped, shown, lines };
};

describe('a grouped source', () => {
  test('has heads between the rows, and only heads where groups are folded', () => {
    expect(linesOf([]).lines).toEqual([
      'v0 3',
      'r0',
      'r1',
      'r2',
      'v1 1',
      'r3',
      'v2 4',
      'r4',
      'r5',
      'r6',
      'r7',
      'v3 2',
      'r8',
      'r9',
    ]);
    expect(linesOf(['g0', 'g2']).lines).toEqual([
      'v0 3 folded',
      'v1 1',
      'r3',
      'v2 4 folded',
      'v3 2',
      'r8',
      'r9',
    ]);
  });

  test('numbers its rows as they stand in the result, and finds them', () => {
    const { grouped } = linesOf(['g0']);
    expect(grouped.find('r4')).toMatchObject({ index: 4, number: 5, id: 'r4' });
    expect(grouped.find('r1')?.index).toBe(0);
    expect([grouped.placeOf(9), grouped.positionAt(4), grouped.positionAt(3)]).toEqual([10, 4, 4]);
    expect(grouped.getState()).toMatchObject({ total: 11, rows: 10 });
  });

  test('asks for the rows that are in sight, and leaves heads out of selections', async () => {
    const { grouped, shown } = linesOf(['g2']);
    grouped.show(1, 5);
    grouped.show(6, 6);
    expect(shown).toEqual([[0, 3]]);
    grouped.show(2, 9);
    expect(shown.slice(1)).toEqual([
      [1, 3],
      [8, 9],
    ]);
    expect(await grouped.idsOf(1, 9)).toEqual(['r0', 'r1', 'r2', 'r3', 'r8', 'r9']);
    expect(await grouped.idsOfGroup(groups[2]!)).toEqual(['r4', 'r5', 'r6', 'r7']);
  });
});
