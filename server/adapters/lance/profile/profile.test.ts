import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestReader, type TestReader } from '../../../testing/reader.ts';
import { everyType, makeTable, mediaColumns } from '../../../testing/tables.ts';
import { ValueCounter } from './value-counter.ts';

let t: TestReader;
beforeAll(async () => {
  t = await makeTestReader();
  await makeTable(t.home, 'small', {
    whole: { type: 'int64', values: [3n, null, 1n, 2n, 2n] },
    number: { type: 'float64', values: [1.5, Number.NaN, null, -2, Number.POSITIVE_INFINITY] },
    price: { type: 'decimal128(10, 2)', values: [150n, 250n, null, 250n, -50n] },
    name: { type: 'utf8', values: ['b', 'a', null, 'b', 'ä'] },
    kind: { type: 'dictionary<int8, utf8>', values: ['x', 'y', 'x', null, 'x'] },
    ok: { type: 'bool', values: [true, false, null, true, true] },
    at: { type: 'timestamp[us, UTC]', values: [1_000_000n, 3_000_000n, null, 2_000_000n, 1_000_000n] },
    day: { type: 'date32', values: [0, 1, 1, null, 3] },
    tags: { type: 'list<utf8>', values: [['a', 'b'], [], null, ['a'], ['c', null]] },
    vec: { type: 'fixed_size_list<float32>[2]', values: [[1, 2], null, [3, 4], [5, 6], [7, 8]] },
    box: { type: 'struct<x: int32>', values: [{ x: 1 }, null, { x: 2 }, { x: 3 }, { x: 4 }] },
    js: { type: 'json', values: ['{}', null, null, '[]', '1'] },
  });
  await makeTable(t.home, 'every', everyType);
  await makeTable(t.home, 'media', mediaColumns);
});
afterAll(() => t.home.remove());

async function profile(table: string, options: { where?: string; columns?: string[] } = {}) {
  const ref = await t.head(table);
  const { rows, columns } = await t.reader.profile({ table, ref, ...options }, t.context);
  return { rows, byName: Object.fromEntries(columns.map((column) => [column.name, column])) };
}

describe('a profile', () => {
  it('has the figures of every kind of column', async () => {
    const { rows, byName } = await profile('small');
    expect(rows).toBe(5);
    expect(byName.whole).toEqual({
      name: 'whole',
      nulls: 1,
      distinct: 3,
      isDistinctExact: true,
      min: '1',
      max: '3',
      mean: 2,
      quantiles: [1.15, 1.75, 2, 2.25, expect.closeTo(2.85, 9)],
      top: [
        { value: '2', rows: 2 },
        { value: '1', rows: 1 },
        { value: '3', rows: 1 },
      ],
      histogram: [
        { from: 1, to: 2, rows: 1 },
        { from: 2, to: 3, rows: 2 },
        { from: 3, to: 4, rows: 1 },
      ],
      scope: 'all 5 rows',
      isSample: false,
    });
    expect(byName.number).toMatchObject({
      nulls: 1,
      nans: 1,
      distinct: 3,
      min: -2,
      max: 'Infinity',
      mean: -0.25,
    });
    expect(byName.price).toMatchObject({ nulls: 1, distinct: 3, min: '-0.50', max: '2.50', mean: 1.5 });
    expect(byName.name).toMatchObject({
      nulls: 1,
      distinct: 3,
      min: 'a',
      max: 'ä',
      top: [
        { value: 'b', rows: 2 },
        { value: 'a', rows: 1 },
        { value: 'ä', rows: 1 },
      ],
    });
    expect(byName.kind).toMatchObject({
      nulls: 1,
      distinct: 2,
      top: [
        { value: 'x', rows: 3 },
        { value: 'y', rows: 1 },
      ],
    });
    expect(byName.ok).toMatchObject({
      nulls: 1,
      distinct: 2,
      min: false,
      max: true,
      top: [
        { value: true, rows: 3 },
        { value: false, rows: 1 },
      ],
    });
    expect(byName.at).toMatchObject({
      nulls: 1,
      distinct: 3,
      min: '1970-01-01T00:00:01.000000Z',
      mean: 1750,
    });
    expect(byName.day).toMatchObject({ nulls: 1, distinct: 3, min: '1970-01-01', max: '1970-01-04' });
    expect(byName.tags).toMatchObject({
      nulls: 1,
      distinct: 3,
      top: [
        { value: 'a', rows: 2 },
        { value: 'b', rows: 1 },
        { value: 'c', rows: 1 },
      ],
    });
    for (const name of ['vec', 'box'])
      expect(byName[name]).toMatchObject({ nulls: 1, distinct: null, min: null, histogram: null, top: null });
    expect(byName.js).toMatchObject({ nulls: 2, distinct: null });
  });

  it('covers the rows of a filter and says so', async () => {
    const { rows, byName } = await profile('small', { where: '`whole` >= 2', columns: ['name', 'whole'] });
    expect(rows).toBe(3);
    expect(Object.keys(byName)).toEqual(['name', 'whole']);
    expect(byName.name).toMatchObject({ nulls: 0, distinct: 2, scope: 'all 3 rows that match the filter' });
    expect((await profile('small', { where: 'false' })).byName.whole).toMatchObject({
      nulls: 0,
      distinct: 0,
      mean: null,
      histogram: null,
      min: null,
    });
  });

  it('can be made of every type, and of media without their bytes', async () => {
    const every = await profile('every');
    expect(Object.keys(every.byName)).toEqual(Object.keys(everyType));
    for (const [name, { nulls }] of Object.entries(every.byName))
      expect([name, nulls]).toEqual([name, name === 'id' ? 0 : 1]);
    expect(every.byName.int64).toMatchObject({
      min: '-9223372036854775808',
      max: '9007199254740993',
      isDistinctExact: false,
    });
    const media = await profile('media');
    expect(media.byName.picture).toMatchObject({ nulls: 1 });
    expect(media.byName.image).toMatchObject({ nulls: 1 });
  });

  it('refuses columns that are not there', async () => {
    await expect(profile('small', { columns: ['nope'] })).rejects.toMatchObject({ code: 'SQL_BIND' });
  });

  it('agrees with plain counting over many rows', async () => {
    const count = 30_000;
    const texts = Array.from({ length: count }, (_, i) =>
      i % 13 === 0 ? null : `value ${(i * 7919) % 400 < 380 ? (i * 7919) % 400 : i}`,
    );
    await makeTable(t.home, 'many', {
      text: { type: 'utf8', values: texts },
      number: { type: 'float64', values: Float64Array.from({ length: count }, (_, i) => (i * 7919) % count) },
    });
    const { byName } = await profile('many');
    const counts = new Map<string, number>();
    for (const text of texts) if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1);
    expect(byName.text?.distinct).toBe(counts.size);
    expect(byName.text?.nulls).toBe(texts.filter((text) => text === null).length);
    for (const { value, rows } of byName.text?.top ?? []) expect(rows).toBe(counts.get(String(value)));
    expect(byName.text?.top?.[0]?.rows).toBe(Math.max(...counts.values()));
    expect(byName.number).toMatchObject({ distinct: count, min: 0, max: count - 1, mean: (count - 1) / 2 });
    expect(byName.number?.histogram?.reduce((sum, { rows }) => sum + rows, 0)).toBe(count);
    expect(byName.number?.quantiles?.[2]).toBeCloseTo((count - 1) / 2, 6);
  });

  it('above a million rows is made of a sample and says so', async () => {
    const count = 1_100_000;
    await makeTable(t.home, 'big', {
      id: { type: 'int32', values: Int32Array.from({ length: count }, (_, i) => i) },
    });
    const { rows, byName } = await profile('big');
    expect(rows).toBe(count);
    expect(byName.id).toMatchObject({
      scope: 'a sample of 131072 of 1100000 rows',
      isDistinctExact: false,
      min: 0,
      max: count - 1,
    });
    const filtered = await profile('big', { where: 'id >= 50000' });
    expect(filtered.rows).toBe(count - 50_000);
    expect(filtered.byName.id).toMatchObject({
      scope: 'a sample of 131072 of 1050000 rows that match the filter',
      min: 50_000,
      max: count - 1,
    });
    expect(filtered.byName.id?.mean).toBeGreaterThan(500_000);
    expect((await profile('big', { where: 'id < 1000' })).byName.id).toMatchObject({
      scope: 'all 1000 rows that match the filter',
      distinct: 1000,
    });
  });

  it('ends when nobody waits for it', async () => {
    const controller = new AbortController();
    controller.abort();
    const ref = await t.head('big');
    await expect(t.reader.profile({ table: 'big', ref }, { signal: controller.signal })).rejects.toThrow();
  });
});

describe('the counter of values', () => {
  it('counts like a map', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3000), { maxLength: 5000 }), (values) => {
        const counter = new ValueCounter();
        const plain = new Map<number, number>();
        values.forEach((value, at) => {
          plain.set(value, (plain.get(value) ?? 0) + 1);
          expect(counter.add(value * 1_000_003, at)).toBe(plain.get(value));
        });
        expect(counter.size).toBe(plain.size);
        expect(counter.top(5).map(({ count }) => count)).toEqual(
          [...plain.values()].sort((a, b) => b - a).slice(0, 5),
        );
      }),
      { numRuns: 30 },
    );
  });
});
