import { describe, expect, test } from 'vitest';
import { gridColumnsOf } from '../../grid/index.ts';
import { type ChangeRecord, parseChange } from './change.ts';
import { equalTo, planOverview, shiftOf } from './overview.ts';

const change = (key: string, before: unknown, after: unknown) =>
  parseChange({
    _key: key,
    _rowids: {},
    _change: 'modified',
    _columns: ['a'],
    _conflict: [],
    base: { a: before },
    from: { a: after },
    into: { a: before },
  } satisfies ChangeRecord);

const options = (type: string) => ({
  mode: 'three-way' as const,
  columns: gridColumnsOf([{ name: 'a', type, role: 'other', nullable: true, description: '', tags: [] }]),
});

describe('the overview of changes that are all there', () => {
  test('groups equal changes, the largest first, and finds their members again', () => {
    const changes = [
      change('single', 'cat', 'x'),
      change('d', 'cat', 'owlet'),
      change('e', 'cat', 'owlet'),
      change('a', 'cat', 'kitty'),
      change('b', 'cat', 'kitty'),
      change('c', 'cat', 'kitty'),
    ];
    const { groups, groupCount } = planOverview(changes, options('utf8'));
    expect(groups.map(({ change: { column, ...said }, rows }) => [column, said, rows])).toEqual([
      ['a', { before: 'cat', after: 'kitty' }, 3],
      ['a', { before: 'cat', after: 'owlet' }, 2],
    ]);
    expect(groupCount).toBe(2);
    expect(changes.filter(equalTo(groups[1]!.change, options('utf8'))).map(({ key }) => key)).toEqual([
      'd',
      'e',
    ]);
  });

  test('whole numbers of 64 bits keep every digit', () => {
    const big = 2n ** 60n;
    const changes = [
      change('a', big, big + 1n),
      change('b', 7n, 8n),
      change('c', null, 1n),
      change('d', null, 1n),
    ];
    expect(planOverview(changes, options('int64')).groups).toEqual([
      { change: { column: 'a', delta: '1' }, rows: 2 },
      { change: { column: 'a', before: null, after: '1' }, rows: 2 },
    ]);
    const same = [change('a', big, big + 1n), change('b', big, big + 1n)];
    expect(planOverview(same, options('int64')).groups).toEqual([
      { change: { column: 'a', before: String(big), after: String(big + 1n) }, rows: 2 },
    ]);
  });

  test('tells how values moved; lists by their items', () => {
    const shift = (type: string, ...changes: ReturnType<typeof change>[]) =>
      planOverview(changes, options(type)).shifts.a;
    expect(shift('list<utf8>', change('x', ['p'], ['p', 'q']), change('y', [], ['q']))).toMatchObject({
      values: [
        { text: 'p', before: 1, after: 1 },
        { text: 'q', before: 0, after: 2 },
      ],
    });
    expect(shift('int64', change('x', 0n, 10n), change('z', null, 0n))).toMatchObject({
      kind: 'histogram',
      low: 0,
      high: 10,
      emptyBefore: 1,
    });
    expect(shift('utf8', change('x', 'a', 'b'), change('y', 'c', 'd'))).toBeUndefined();
  });
});

test('a column may be called as what every object has', () => {
  const shift = { kind: 'values' as const, values: [], others: { values: 0, before: 0, after: 0 }, cells: 2 };
  expect(shiftOf({ shifts: {} }, 'constructor')).toBe(undefined);
  expect(shiftOf({ shifts: { constructor: shift } }, 'constructor')).toBe(shift);
});
