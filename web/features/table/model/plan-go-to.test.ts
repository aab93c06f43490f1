import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planGoTo } from './plan-go-to.ts';

const table = { total: 80_000_001, key: ['id'] };

test('a number is a row first, then a key; with the separators that people write', () => {
  for (const text of ['80000000', '80,000,000', '80 000 000', ' #80.000.000 ', '80_000_000'])
    expect(planGoTo(text, table)[0]).toEqual({ kind: 'row', position: 79_999_999 });
  expect(planGoTo('12', table)[1]).toEqual({ kind: 'key', key: '12' });
});

test('a percentage is a place on the way, from the first row to the last', () => {
  expect(planGoTo('0%', table)[0]).toMatchObject({ position: 0 });
  expect(planGoTo('100 %', table)[0]).toMatchObject({ position: 80_000_000 });
  expect(planGoTo('12,5%', table)[0]).toMatchObject({ percent: 12.5, position: 10_000_000 });
  expect(planGoTo('101%', table)).toEqual([{ kind: 'key', key: '101%' }]);
});

test('a text is a key, by its parts where it has several; beyond the end there is no row', () => {
  expect(planGoTo('fish1', table)).toEqual([{ kind: 'key', key: 'fish1' }]);
  expect(planGoTo('a, 7', { total: 5, key: ['source', 'n'] })).toEqual([{ kind: 'key', key: ['a', '7'] }]);
  expect(planGoTo('6', { total: 5, key: [] })).toEqual([]);
  expect(planGoTo('0', { total: 5, key: [] })).toEqual([]);
  expect(planGoTo('  ', table)).toEqual([]);
});

test('positions are always those of rows', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(1000), (text, total) => {
      for (const place of planGoTo(text, { total, key: ['id'] })) {
        if (place.kind === 'key') continue;
        expect(Number.isInteger(place.position) && place.position >= 0 && place.position < total).toBe(true);
      }
    }),
  );
});
