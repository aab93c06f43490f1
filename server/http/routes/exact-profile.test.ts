import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ColumnProfile } from '#shared/api/tables.ts';
import { everyType, makeTable } from '../../testing/tables.ts';
import { makeTestServer, type TestServer } from '../../testing/test-server.ts';

let s: TestServer;
const rows = 500;
const odd = [Number.NaN, Number.POSITIVE_INFINITY, null, -0];

beforeAll(async () => {
  s = await makeTestServer();
  await makeTable(s.home, 'every', everyType);
  await makeTable(s.home, 'm', {
    whole: { type: 'int64', values: Array.from({ length: rows }, (_none, at) => BigInt((at * 37) % 90)) },
    float: {
      type: 'float64',
      values: Array.from({ length: rows }, (_none, at) => (at < odd.length ? odd[at] : at / 7)),
    },
    label: { type: 'utf8', values: Array.from({ length: rows }, (_none, at) => `kind ${at % 7}`) },
  });
});
afterAll(() => s.close());

async function profileOf(table: string, body: object): Promise<ColumnProfile[]> {
  const response = await s.post(`/api/v1/tables/${table}/profile`, body);
  expect(response.status).toBe(200);
  return ((await response.json()) as { columns: ColumnProfile[] }).columns;
}

const near = (value: number): number => Number(value.toPrecision(12));

/** Times of one instant, whatever unit they are told in. */
const sameUnit = (figures: unknown): object =>
  JSON.parse(JSON.stringify(figures).replace(/(T\d\d:\d\d:\d\d)\.?(\d*?)0*(Z?")/g, '$1.$2$3'));

/** Both ways count every row here, so that they must agree. */
async function expectAgreement(table: string, body: object): Promise<ColumnProfile[]> {
  const plain = await profileOf(table, body);
  const exact = await profileOf(table, { ...body, isExact: true });
  for (const { name, histogram: _bins, top: _top, isDistinctExact, quantiles, mean, ...figures } of exact) {
    expect([name, isDistinctExact]).toEqual([name, true]);
    const other = plain.find((one) => one.name === name);
    expect(sameUnit(other)).toMatchObject(sameUnit(figures));
    expect((other?.quantiles ?? []).map(near)).toEqual((quantiles ?? []).map(near));
    expect(near(other?.mean ?? 0)).toBe(near(mean ?? 0));
  }
  return exact;
}

describe('a profile of every row', () => {
  it('says how many rows match, also without a column that has figures', async () => {
    for (const columns of [['whole'], []])
      for (const isExact of [true, false]) {
        const answer = await s.post('/api/v1/tables/m/profile', { columns, isExact, where: '_rowid < 10' });
        expect(await answer.json()).toMatchObject({ rows: 10 });
      }
  });

  it('has a column once, however often it is named', async () => {
    for (const isExact of [true, false]) {
      const profiles = await profileOf('m', { columns: ['label', 'whole', 'label'], isExact });
      expect(profiles.map(({ name }) => name)).toEqual(['label', 'whole']);
    }
  });

  it('says of every type what the profile of a small table says', async () => {
    const exact = await expectAgreement('every', {});
    expect(exact.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['int64', 'float64', 'utf8', 'timestamp_ns', 'dictionary']),
    );
  });

  it('has quantiles, different values, nulls and values that are no number', async () => {
    const exact = await expectAgreement('m', {});
    expect(exact).toMatchObject([
      { name: 'whole', distinct: 90, min: '0', max: '89', quantiles: expect.any(Array) },
      { name: 'float', nulls: 1, nans: 1, max: 'Infinity', isDistinctExact: true },
      { name: 'label', distinct: 7, min: 'kind 0', max: 'kind 6', mean: null, quantiles: null },
    ]);
    expect(exact[0]).toMatchObject({ scope: 'all 500 rows', isSample: false });
  });

  it('counts what a filter keeps', async () => {
    const where = "label = 'kind 3' and whole > 20";
    const exact = await expectAgreement('m', { where });
    expect(exact[0]?.scope).toMatch(/^all \d+ rows that match the filter$/);
  });

  it('points at what is wrong', async () => {
    for (const body of [{ where: 'lable = 1' }, { columns: ['nope'] }]) {
      const response = await s.post('/api/v1/tables/m/profile', { ...body, isExact: true });
      expect(await response.json()).toMatchObject({ status: 400, code: 'SQL_BIND' });
    }
  });
});
