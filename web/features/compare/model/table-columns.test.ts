import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gridColumnsOf } from '../../grid/index.ts';
import { planTableColumns } from './table-columns.ts';

const columnsOf = (names: readonly string[]) =>
  gridColumnsOf(
    names.map((name) => ({ name, type: 'utf8', role: 'text', nullable: true, description: '', tags: [] })),
  );

test('changed columns come first, the most changed before the others, the one that is asked for before all', () => {
  const columns = columnsOf(['id', 'a', 'b', 'c', 'd']);
  const plan = planTableColumns({ columns, cells: { a: 1, c: 9, b: 1 }, first: 'b', most: 2 });
  expect([plan.shown.map(({ name }) => name), plan.hiddenChanged, plan.unchanged]).toEqual([
    ['b', 'c'],
    1,
    2,
  ]);
});

test('no column is lost: shown, hidden and unchanged are all there are', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 40 }),
      fc.array(fc.nat(3)),
      fc.nat(10),
      (names, counts, most) => {
        const cells = Object.fromEntries(names.map((name, at) => [name, counts[at] ?? 0]));
        const plan = planTableColumns({ columns: columnsOf(names), cells, first: null, most });
        expect(plan.shown.length + plan.hiddenChanged + plan.unchanged).toBe(names.length);
        expect(plan.shown.every(({ name }) => (cells[name] ?? 0) > 0)).toBe(true);
      },
    ),
  );
});
