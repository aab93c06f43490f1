import { describe, expect, test } from 'vitest';
import { gridColumnsOf } from '../../grid/index.ts';
import { createSeenStore } from '../seen-store.ts';
import { type ChangeRecord, parseChange } from './change.ts';
import { planShift } from './column-shift.ts';
import { isSeen, planSeen } from './seen.ts';

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

test('a change that says something else by now has not been seen', () => {
  const marks = planSeen({}, [change('x', 1, 2), change('y', 1, 2)], true);
  expect([
    isSeen(marks, change('x', 1, 2)),
    isSeen(marks, change('x', 1, 3)),
    isSeen(marks, change('z', 1, 2)),
  ]).toEqual([true, false, false]);
  expect(Object.keys(planSeen(marks, [change('x', 1, 2)], false))).toEqual(['"y"']);
});

test('what was seen outlives the page', () => {
  const cells = new Map<string, string>();
  const storage = {
    getItem: (key: string) => cells.get(key) ?? null,
    setItem: (key: string, value: string) => void cells.set(key, value),
    removeItem: (key: string) => void cells.delete(key),
  };
  const place = { table: 't', from: 'a', into: 'main' };
  createSeenStore(place, storage).mark([change('x', 1, 2)], true);
  expect(isSeen(createSeenStore(place, storage).getState().marks, change('x', 1, 2))).toBe(true);
  expect(createSeenStore({ ...place, from: 'b' }, storage).getState().marks).toEqual({});
  for (const key of cells.keys()) cells.set(key, '[1');
  expect(createSeenStore(place, storage).getState().marks).toEqual({});
});

describe('planShift', () => {
  const column = (type: string) =>
    gridColumnsOf([{ name: 'a', type, role: 'other', nullable: true, description: '', tags: [] }])[0]!;

  test('lays numbers old over new', () => {
    const shift = planShift(
      column('int64'),
      [change('x', 0n, 10n), change('y', 5n, 10n), change('z', null, 0n)],
      'three-way',
    );
    expect(shift).toMatchObject({ kind: 'histogram', low: 0, high: 10, nullsBefore: 1, nullsAfter: 0 });
    const bins = shift?.kind === 'histogram' ? shift.bins : [];
    expect([bins[0], bins[8], bins[15]]).toEqual([
      { before: 1, after: 1 },
      { before: 1, after: 0 },
      { before: 0, after: 2 },
    ]);
  });

  test('counts values and tags, the commonest first', () => {
    expect(
      planShift(column('utf8'), [change('x', 'cat', 'dog'), change('y', 'cat', null)], 'three-way'),
    ).toEqual({
      kind: 'values',
      others: 0,
      values: [
        { text: 'cat', before: 2, after: 0 },
        { text: 'dog', before: 0, after: 1 },
        { text: 'null', before: 0, after: 1 },
      ],
    });
    expect(
      planShift(column('list<utf8>'), [change('x', ['p'], ['p', 'q']), change('y', [], ['q'])], 'three-way'),
    ).toMatchObject({
      values: [
        { text: 'p', before: 1, after: 1 },
        { text: 'q', before: 0, after: 2 },
      ],
    });
  });

  test('says nothing where there is nothing to say', () => {
    expect([
      planShift(column('utf8'), [change('x', 'a', 'b')], 'three-way'),
      planShift(column('utf8'), [change('x', 'a', 'b'), change('y', 'c', 'd')], 'three-way'),
      planShift(column('int32'), [change('x', null, Number.NaN), change('y', null, Number.NaN)], 'three-way'),
    ]).toEqual([null, null, null]);
  });
});
