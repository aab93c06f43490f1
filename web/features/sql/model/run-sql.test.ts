import { int32, tableFromArrays, tableToIPC } from '@uwdata/flechette';
import { describe, expect, test, vi } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import type { SqlPlan } from '#shared/api/sql.ts';
import { wire } from '#shared/api/wire.ts';
import { decodeArrowRows } from '../../../api/arrow-rows.ts';
import { type EngineChoice, type RunProgress, runSql, type SqlRunPorts } from './run-sql.ts';

const bytesOf = (values: number[]): Uint8Array =>
  tableToIPC(tableFromArrays({ n: values }, { types: { n: int32() } }), { format: 'stream' }) as Uint8Array;

const planOf = (more: Partial<SqlPlan> = {}): SqlPlan => ({
  tables: [
    {
      name: 'clips',
      table: 'clips',
      ref: { branch: 'main', version: 5 },
      key: 'k',
      columns: ['n'],
      rows: 3,
      bytes: 1000,
      limit: null,
      schema: [],
    },
    {
      name: 'clips@exp',
      table: 'clips',
      ref: { branch: 'exp', version: 7 },
      key: 'l',
      columns: [],
      rows: 3,
      bytes: 0,
      limit: null,
      schema: [],
    },
  ],
  bytes: 1000,
  engine: 'browser',
  reason: '',
  serverOnlyBecause: null,
  total: null,
  columns: [{ name: 'n', type: 'INTEGER' }],
  ...more,
});

function makePorts(plan: SqlPlan, browserRun?: SqlRunPorts['browser']['run']) {
  const rows = decodeArrowRows(bytesOf([1, 2]));
  const facts = { ...rows.facts, scope: 'first 2', elapsedMs: 3, all: new Map([[wire.scope, 'first 2']]) };
  return {
    plan: vi.fn(async () => plan),
    runOnServer: vi.fn(async () => ({ ...rows, facts })),
    activity: vi.fn(async () => ({ engines: 2, running: 2, waiting: 1, run: 'waiting' as const })),
    browser: {
      residentBytesOf: () => 0,
      run: vi.fn(browserRun ?? (async () => ({ bytes: bytesOf([7]), rows: 1, isCut: false, elapsedMs: 2 }))),
    },
  } satisfies SqlRunPorts;
}

async function run(ports: SqlRunPorts, choice: EngineChoice = 'auto') {
  const phases: RunProgress['phase'][] = [];
  const result = await runSql(ports, {
    sql: 'select n from clips',
    refs: {},
    choice,
    maxRows: 2,
    signal: new AbortController().signal,
    onProgress: ({ phase }) => phases.push(phase),
  });
  return { ...result, phases };
}

describe('runSql', () => {
  test('runs in the browser and says of which refs', async () => {
    const ports = makePorts(planOf());
    const result = await run(ports);
    expect(result).toMatchObject({
      engine: 'browser',
      isCut: false,
      refs: { clips: 'main:5' },
      relations: [
        { name: 'clips', ref: 'main:5' },
        { name: 'clips@exp', ref: 'exp:7' },
      ],
    });
    expect(result.rows.facts).toMatchObject({ engine: 'duckdb-wasm', total: 1, scope: 'all' });
    expect(ports.runOnServer).not.toHaveBeenCalled();
  });

  test('runs on the server over the refs of the plan where the browser cannot', async () => {
    const ports = makePorts(planOf({ serverOnlyBecause: 'JSON runs on the server only' }));
    const result = await run(ports);
    expect(result).toMatchObject({
      engine: 'server',
      reason: 'JSON runs on the server only',
      isCut: true,
      phases: ['planning', 'server'],
    });
    expect(ports.runOnServer).toHaveBeenCalledWith(
      { sql: 'select n from clips', refs: { clips: 'main:5' }, maxRows: 2, runId: expect.any(String) },
      expect.anything(),
      expect.any(Function),
    );
  });

  test('says that it waits for an engine', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const ports = makePorts(planOf({ serverOnlyBecause: 'JSON runs on the server only' }));
      const answer = await ports.runOnServer();
      let finish = () => {};
      ports.runOnServer.mockReturnValue(
        new Promise((resolve) => {
          finish = () => resolve(answer);
        }),
      );
      const result = run(ports);
      await vi.advanceTimersByTimeAsync(800);
      finish();
      expect((await result).phases).toEqual(['planning', 'server', 'queued']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('goes to the server after all where the browser turns out not to be able to', async () => {
    const ports = makePorts(planOf(), async () => {
      throw new AppError({
        code: 'UNSUPPORTED',
        message: 'This needs DuckDB’s extension icu, which is not here.',
      });
    });
    expect(await run(ports)).toMatchObject({
      engine: 'server',
      reason: 'in the browser: This needs DuckDB’s extension icu, which is not here',
    });
  });

  test('an error of the statement stays an error', async () => {
    const ports = makePorts(planOf(), async () => {
      throw new AppError({ code: 'BAD_REQUEST', message: 'Could not convert.' });
    });
    await expect(run(ports)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(ports.runOnServer).not.toHaveBeenCalled();
  });

  test('the person chooses', async () => {
    expect((await run(makePorts(planOf()), 'server')).engine).toBe('server');
    expect((await run(makePorts(planOf({ bytes: 300_000_000 })), 'browser')).engine).toBe('browser');
    expect((await run(makePorts(planOf({ bytes: 300_000_000 })))).engine).toBe('server');
  });
});
