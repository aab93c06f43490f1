import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { isServerOnlyFunction } from './browser-obstacle.ts';

const require = createRequire(import.meta.url);
const allFunctions = 'SELECT DISTINCT lower(function_name) f FROM duckdb_functions() ORDER BY f';

async function functionsOfServer(): Promise<string[]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  return (await connection.runAndReadAll(allFunctions)).getRows().map(([name]) => String(name));
}

async function functionsOfBrowser(): Promise<string[]> {
  const wasm = require('@duckdb/duckdb-wasm/blocking') as typeof import('@duckdb/duckdb-wasm/blocking');
  const folder = dirname(require.resolve('@duckdb/duckdb-wasm/dist/duckdb-eh.wasm'));
  const bundle = (name: string) => ({ mainModule: join(folder, `duckdb-${name}.wasm`), mainWorker: '' });
  const database = await wasm.createDuckDB(
    { mvp: bundle('mvp'), eh: bundle('eh') },
    new wasm.VoidLogger(),
    wasm.NODE_RUNTIME,
  );
  await database.instantiate(() => {});
  database.open({});
  return [...database.connect().query(allFunctions)].map((row) => String(row?.f));
}

test('the functions that the browser lacks are known', async () => {
  const [server, browser] = await Promise.all([functionsOfServer(), functionsOfBrowser()]);
  const there = new Set(browser);
  expect(browser.length).toBeGreaterThan(700);
  const unknown = server.filter((name) => !there.has(name) && !isServerOnlyFunction(name));
  const wronglyRefused = browser.filter((name) => isServerOnlyFunction(name));
  expect({ unknown, wronglyRefused }).toEqual({ unknown: [], wronglyRefused: [] });
});
