import { expect, test } from 'vitest';
import { createSeenStore } from '../seen-store.ts';
import { type ChangeRecord, parseChange } from './change.ts';
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
