import { tableFromArrays } from '@uwdata/flechette';
import { describe, expect, test } from 'vitest';
import { AppError, abortedError } from '#shared/api/problem.ts';
import type { ArrowRows, RowFacts } from '../../../api/arrow-rows.ts';
import { createWindowSource, type WindowRequest } from './window-source.ts';

const noFacts: RowFacts = {
  ref: 'main:7',
  total: null,
  scope: 'all',
  engine: 'lance',
  elapsedMs: 1,
  isExact: null,
  indexCoverage: null,
  all: new Map(),
};

const rowsFrom = ({ offset, limit }: WindowRequest, total: number): ArrowRows => {
  const places = Array.from(
    { length: Math.max(0, Math.min(limit, total - offset)) },
    (_none, at) => offset + at,
  );
  return {
    table: tableFromArrays({ _rowid: places.map((place) => place * 10), n: places }),
    facts: { ...noFacts, total },
    sizeBytes: places.length * 100,
  };
};

/** A table whose answers come when the test lets them. */
function createSlowTable(total: number) {
  const asked: { request: WindowRequest; signal: AbortSignal; answer(): void; fail(error: unknown): void }[] =
    [];
  return {
    asked,
    load: (request: WindowRequest, signal: AbortSignal) =>
      new Promise<ArrowRows>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(abortedError()));
        asked.push({ request, signal, answer: () => resolve(rowsFrom(request, total)), fail: reject });
      }),
    async answerAll() {
      for (const one of asked) one.answer();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('a source of windows', () => {
  test('asks once for the first screen, pins the ref, and reads rows by their place', async () => {
    const table = createSlowTable(10_000);
    const source = createWindowSource({ load: table.load });
    source.show(0, 30);
    source.show(0, 40);
    expect(table.asked.map((one) => one.request)).toEqual([{ offset: 0, limit: 256, pinnedRef: null }]);
    expect(source.getState()).toMatchObject({ total: null, isLoading: true });
    await table.answerAll();
    expect(source.getState()).toMatchObject({ total: 10_000, isLoading: false, error: null });
    const row = source.rowAt(12);
    expect([row?.id, row?.ref, row?.value('n'), row?.value('nothing')]).toEqual([
      '120',
      'main:7',
      12,
      undefined,
    ]);
    source.show(200, 230);
    expect(table.asked[1]?.request).toEqual({ offset: 256, limit: 4000, pinnedRef: 'main:7' });
  });

  test('gives up windows that left the screen', async () => {
    const table = createSlowTable(100_000);
    const source = createWindowSource({ load: table.load });
    source.show(0, 30);
    await table.answerAll();
    source.show(50_000, 50_030);
    source.show(80_000, 80_030);
    expect(table.asked.map((one) => one.signal.aborted)).toEqual([false, true, false]);
    await table.answerAll();
    expect(source.rowAt(80_010)?.value('n')).toBe(80_010);
    expect(source.rowAt(50_010)).toBeUndefined();
    expect(source.getState()).toMatchObject({ isLoading: false, error: null });
  });

  test('keeps an error in its place until it is tried again', async () => {
    const table = createSlowTable(500);
    const source = createWindowSource({ load: table.load });
    const error = new AppError({ code: 'ENGINE_CRASHED', message: 'It stopped.' });
    source.show(0, 30);
    table.asked[0]?.fail(error);
    await table.answerAll();
    expect(source.getState()).toMatchObject({ error, isLoading: false });
    source.show(0, 31);
    expect(table.asked).toHaveLength(1);
    source.retry();
    await table.answerAll();
    expect(source.getState()).toMatchObject({ error: null, total: 500, isLoading: false });
  });

  test('row ids of a span come from what is there, else from one light request', async () => {
    const table = createSlowTable(9000);
    const source = createWindowSource({ load: table.load });
    source.show(0, 30);
    await table.answerAll();
    expect(await source.idsOf(2, 4)).toEqual(['20', '30', '40']);
    const ids = source.idsOf(250, 300);
    expect(table.asked.at(-1)?.request).toEqual({ offset: 250, limit: 51, pinnedRef: 'main:7', columns: [] });
    await table.answerAll();
    expect((await ids).length).toBe(51);
  });

  test('asks for fewer rows at once where rows are heavy', async () => {
    const table = createSlowTable(9000);
    const heavy = async (request: WindowRequest, signal: AbortSignal) => ({
      ...(await table.load(request, signal)),
      sizeBytes: request.limit * 12_000,
    });
    const source = createWindowSource({ load: heavy });
    source.show(0, 30);
    await table.answerAll();
    source.show(180, 210);
    expect(table.asked[1]?.request).toMatchObject({ offset: 256, limit: 500 });
  });

  test('an empty result has no rows and is complete', async () => {
    const table = createSlowTable(0);
    const source = createWindowSource({ load: table.load });
    source.show(0, 30);
    await table.answerAll();
    expect(source.getState()).toMatchObject({ total: 0, isLoading: false, error: null });
    expect(table.asked).toHaveLength(1);
  });

  test('closing gives up what is under way and is silent', async () => {
    const table = createSlowTable(500);
    const source = createWindowSource({ load: table.load });
    let told = 0;
    source.show(0, 30);
    source.subscribe(() => {
      told += 1;
    });
    source.close();
    await table.answerAll();
    expect([table.asked[0]?.signal.aborted, told]).toEqual([true, 0]);
  });
});
