import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBits, setCell } from './bits.ts';
import { countChanges, findConflicts, rowChange, type ThreeWayRows } from './diff.ts';
import { cellSource, type MergeRowsInput, mergeRows, rowFate, type Settlement } from './merge-rows.ts';

type Cell = number;
type Rows = Map<string, Cell[]>;

const width = 3;
const rowsOf = (entries: Record<string, Cell[]>): Rows => new Map(Object.entries(entries));

const changeOf = (before: Cell[] | undefined, after: Cell[] | undefined): number => {
  if (!before) return after ? rowChange.added : rowChange.none;
  if (!after) return rowChange.removed;
  return before.some((cell, at) => cell !== after[at]) ? rowChange.modified : rowChange.none;
};

/** The engine's input from whole tables. */
function compare(base: Rows, from: Rows, into: Rows): { keys: string[]; three: ThreeWayRows } {
  const all = [...new Set([...base.keys(), ...from.keys(), ...into.keys()])].sort();
  const keys = all.filter((key) => changeOf(base.get(key), from.get(key)) !== rowChange.none);
  const three: ThreeWayRows = {
    count: keys.length,
    from: Uint8Array.from(keys, (key) => changeOf(base.get(key), from.get(key))),
    into: Uint8Array.from(keys, (key) => changeOf(base.get(key), into.get(key))),
    fromCells: new Map(),
    intoCells: new Map(),
    differing: new Map(),
  };
  for (const [row, key] of keys.entries()) {
    const [b, f, i] = [base.get(key), from.get(key), into.get(key)];
    for (let column = 0; column < width; column++) {
      if (b && f && b[column] !== f[column]) setCell(three.fromCells, keys.length, column, row);
      if (b && i && b[column] !== i[column]) setCell(three.intoCells, keys.length, column, row);
      if (f && i && f[column] !== i[column]) setCell(three.differing, keys.length, column, row);
    }
  }
  return { keys, three };
}

function merge(
  { base, from, into }: { base: Rows; from: Rows; into: Rows },
  options: {
    take?: MergeRowsInput['take'];
    settlements?: (Omit<Settlement, 'row'> & { key: string })[];
    typed?: Cell[];
  } = {},
) {
  const { keys, three } = compare(base, from, into);
  const conflicts = findConflicts(three);
  const merged = mergeRows({
    three,
    conflicts,
    isMerged: () => true,
    take: options.take ?? null,
    settlements: (options.settlements ?? []).map(({ key, ...rest }) => ({ ...rest, row: keys.indexOf(key) })),
  });
  const result: Rows = new Map(into);
  for (const [row, key] of keys.entries()) {
    const pick = (source: number, column: number): Cell => {
      if (source >= cellSource.typed) return options.typed?.[source - cellSource.typed] as Cell;
      const side = source === cellSource.from ? from : source === cellSource.base ? base : into;
      return side.get(key)?.[column] as Cell;
    };
    const fate = merged.fates[row];
    if (fate === rowFate.delete) result.delete(key);
    else if (fate === rowFate.insert || fate === rowFate.update) {
      const rest = fate === rowFate.insert ? (merged.rowSource[row] as number) : cellSource.into;
      result.set(
        key,
        Array.from({ length: width }, (_, column) => {
          const own = merged.sources.get(column)?.[row] ?? 0;
          return pick(own === 0 ? rest : own, column);
        }),
      );
    }
  }
  return { conflicts, merged, result, three };
}

/** The whole semantics once more, row by row and cell by cell, without any of the engine's shapes. */
function naiveMerge(base: Rows, from: Rows, into: Rows, take: 'from' | 'into'): Rows {
  const result: Rows = new Map();
  for (const key of new Set([...base.keys(), ...from.keys(), ...into.keys()])) {
    const [b, f, i] = [base.get(key), from.get(key), into.get(key)];
    const side = take === 'from' ? f : i;
    const same = (x: Cell[] | undefined, y: Cell[] | undefined) => JSON.stringify(x) === JSON.stringify(y);
    let row: Cell[] | undefined;
    if (same(b, f)) row = i;
    else if (same(b, i)) row = f;
    else if (!f || !i) row = side;
    else
      row = f.map((cell, at) => {
        if (b && b[at] === cell) return i[at] as Cell;
        if (b && b[at] === i[at]) return cell;
        return cell === i[at] ? cell : (side?.[at] as Cell);
      });
    if (row) result.set(key, row);
  }
  return result;
}

const sorted = (rows: Rows) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1));

const table = fc
  .dictionary(
    fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    fc.array(fc.nat(2), { minLength: width, maxLength: width }),
  )
  .map(rowsOf);

describe('a three-way merge', () => {
  test('of a side with itself is that side', () => {
    fc.assert(
      fc.property(table, table, (base, side) => {
        const { conflicts, merged, result } = merge({ base, from: side, into: side });
        expect([conflicts.rows, merged.openCount]).toEqual([0, 0]);
        expect([...merged.fates].every((fate) => fate === rowFate.none)).toBe(true);
        expect(sorted(result)).toEqual(sorted(side));
      }),
    );
  });

  test('with an unchanged side is the other side', () => {
    fc.assert(
      fc.property(table, table, (base, side) => {
        expect(sorted(merge({ base, from: side, into: base }).result)).toEqual(sorted(side));
        expect(sorted(merge({ base, from: base, into: side }).result)).toEqual(sorted(side));
      }),
    );
  });

  test('is the same in both directions, when nothing conflicts', () => {
    fc.assert(
      fc.property(table, table, table, (base, a, b) => {
        const there = merge({ base, from: a, into: b });
        const back = merge({ base, from: b, into: a });
        expect(back.conflicts.rows).toBe(there.conflicts.rows);
        expect(back.conflicts.cellCount).toBe(there.conflicts.cellCount);
        if (there.conflicts.rows === 0) expect(sorted(back.result)).toEqual(sorted(there.result));
      }),
    );
  });

  test('settled by a side agrees with the naive merge, and leaves nothing open', () => {
    fc.assert(
      fc.property(
        table,
        table,
        table,
        fc.constantFrom('from' as const, 'into' as const),
        (base, from, into, take) => {
          const { merged, result } = merge({ base, from, into }, { take });
          expect(merged.openCount).toBe(0);
          expect(sorted(result)).toEqual(sorted(naiveMerge(base, from, into, take)));
        },
      ),
    );
  });

  test('touches no row that is in conflict until it is settled', () => {
    fc.assert(
      fc.property(table, table, table, (base, from, into) => {
        const { conflicts, merged } = merge({ base, from, into });
        expect(merged.openCount > 0).toBe(conflicts.rows > 0);
      }),
    );
  });
});

const base = rowsOf({ cat: [1, 1, 1], dog: [1, 1, 1], owl: [1, 1, 1] });

describe('conflicts', () => {
  test('are cells that both changed to different values', () => {
    const { conflicts, merged } = merge({
      base,
      from: rowsOf({ cat: [2, 2, 1], dog: [2, 1, 1], owl: [2, 1, 1] }),
      into: rowsOf({ cat: [3, 2, 1], dog: [1, 3, 1], owl: [2, 1, 1] }),
    });
    expect([conflicts.rows, conflicts.cellCount]).toEqual([1, 1]);
    expect(merged.open).toEqual([{ row: 0, column: 0 }]);
    expect(merged.counts).toEqual({ inserted: 0, updated: 1, deleted: 0 });
  });

  test('are rows that one side removed and the other changed, counted by the changed cells', () => {
    const { conflicts, merged } = merge({
      base,
      from: rowsOf({ dog: [2, 2, 1], owl: [1, 1, 1] }),
      into: rowsOf({ cat: [2, 1, 1], owl: [1, 1, 1] }),
    });
    expect([conflicts.rows, conflicts.cellCount]).toEqual([2, 3]);
    expect(merged.open).toEqual([
      { row: 0, column: null },
      { row: 1, column: null },
    ]);
  });

  test('are rows that both added with different values', () => {
    const { conflicts, merged } = merge({
      base: rowsOf({}),
      from: rowsOf({ cat: [1, 1, 1], dog: [1, 1, 1] }),
      into: rowsOf({ cat: [1, 2, 1], dog: [1, 1, 1] }),
    });
    expect([conflicts.rows, conflicts.cellCount]).toEqual([1, 1]);
    expect(merged.open).toEqual([{ row: 0, column: 1 }]);
  });
});

describe('choices', () => {
  const sides = {
    base,
    from: rowsOf({ cat: [2, 2, 1], owl: [1, 1, 5] }),
    into: rowsOf({ cat: [3, 3, 1], dog: [1, 3, 1], owl: [1, 1, 1] }),
  };
  const choose = (settlements: Parameters<typeof merge>[1] & object) => merge(sides, settlements).result;

  test('the last one wins, for a cell as for its row', () => {
    const cell = { key: 'cat', column: 0, take: 'from' as const };
    const row = { key: 'cat', column: null, take: 'base' as const };
    expect(choose({ settlements: [cell, row], take: 'into' }).get('cat')).toEqual([1, 1, 1]);
    expect(choose({ settlements: [row, cell], take: 'into' }).get('cat')).toEqual([2, 1, 1]);
  });

  test('a typed value goes in as it is', () => {
    const settlements = [{ key: 'cat', column: 0, take: { typed: 0 } }];
    expect(choose({ settlements, typed: [9], take: 'into' }).get('cat')).toEqual([9, 3, 1]);
  });

  test('a removed row goes, stays, or is as it was', () => {
    const take = 'into' as const;
    expect(choose({ take, settlements: [{ key: 'dog', column: null, take: 'from' }] }).has('dog')).toBe(
      false,
    );
    expect(choose({ take, settlements: [{ key: 'dog', column: null, take: 'into' }] }).get('dog')).toEqual([
      1, 3, 1,
    ]);
    expect(choose({ take, settlements: [{ key: 'dog', column: null, take: 'base' }] }).get('dog')).toEqual([
      1, 1, 1,
    ]);
  });

  test('a change without conflict can be refused or replaced', () => {
    const take = 'into' as const;
    expect(choose({ take, settlements: [{ key: 'owl', column: 2, take: 'into' }] }).get('owl')).toEqual([
      1, 1, 1,
    ]);
    expect(
      choose({ take, typed: [7], settlements: [{ key: 'owl', column: 2, take: { typed: 0 } }] }).get('owl'),
    ).toEqual([1, 1, 7]);
  });
});

test('countChanges counts rows by kind and cells by column', () => {
  const { three } = compare(base, rowsOf({ cat: [2, 2, 1], dog: [2, 1, 1], bee: [0, 0, 0] }), base);
  expect(countChanges(three, (column) => (column === 1 ? null : `c${column}`))).toEqual({
    rows: { added: 1, removed: 1, modified: 2 },
    cells: { c0: 2 },
  });
  expect(createBits(9)).toHaveLength(2);
});
