import { AppError } from '#shared/api/problem.ts';
import { readRowsAsJson } from '../../../arrow/rows-as-json.ts';
import type { ByteStream } from '../../../ports/call.ts';
import type { SqlRelation, SqlRun } from '../../../ports/sql-engine.ts';
import { type MadeColumn, makeArrowTable } from '../../../testing/columns.ts';
import { createSqlEngine } from '../sql-engine.ts';
import { createMemoryRowSource } from './memory-row-source.ts';

const rows = Array.from({ length: 3000 }, (_, row) => row);

const clips = (shift: number): Record<string, MadeColumn> => ({
  id: { type: 'int64', values: rows.map((row) => BigInt(row + (shift === 3000 ? 3000 : 0))) },
  name: { type: 'utf8', values: rows.map((row) => (row % 10 === 3 ? null : `clip number ${row + shift}`)) },
  category: { type: 'dictionary<int32, utf8>', values: rows.map((row) => ['cat', 'dog', 'fish'][row % 3]) },
  score: { type: 'float64', values: rows.map((row) => (row + (shift === 3000 ? 3000 : 0)) / 10) },
  taken: { type: 'timestamp[us]', values: rows.map((row) => BigInt(row) * 86_400_000_000n) },
  seen: { type: 'timestamp[us, UTC]', values: rows.map((row) => BigInt(row) * 3_600_000_000n) },
  tags: { type: 'list<utf8>', values: rows.map((row) => (row % 4 === 0 ? null : [`t${row % 5}`, 'all'])) },
  box: { type: 'struct<x: int32, y: int32>', values: rows.map((row) => ({ x: row, y: row * 2 })) },
  vector: { type: 'fixed_size_list<float32>[3]', values: rows.map((row) => [row, 0, 1]) },
  half: { type: 'float16', values: Uint16Array.from(rows, () => 0x3c00) },
  _key: { type: 'int64', values: rows.map((row) => BigInt(row * 7)) },
});

const relations: SqlRelation[] = [
  { name: 'rest', table: 'rest', ref: { branch: 'main', version: 1 }, key: 'rest@main:1' },
  { name: 'clips', table: 'clips', ref: { branch: 'main', version: 5 }, key: 'clips@main:5' },
  { name: 'clips@exp:12', table: 'clips', ref: { branch: 'exp', version: 12 }, key: 'clips@exp:12' },
  { name: 'more', table: 'more', ref: { branch: 'main', version: 1 }, key: 'more@main:1' },
  { name: 'odd names', table: 'odd names', ref: { branch: 'main', version: 1 }, key: 'odd names@main:1' },
];

/** An engine over tables in memory, with what tests ask of it. */
export function makeTestEngine() {
  const { source, reads } = createMemoryRowSource({
    'clips@main:5': { table: makeArrowTable(clips(0)), hidden: ['_key'] },
    'clips@exp:12': { table: makeArrowTable(clips(1)), hidden: ['_key'] },
    'more@main:1': { table: makeArrowTable(clips(0)) },
    'rest@main:1': { table: makeArrowTable(clips(0)).concat(makeArrowTable(clips(3000))) },
    'odd names@main:1': {
      table: makeArrowTable({
        'a "b"': { type: 'int32', values: [1, 2] },
        'x.y': { type: 'int32', values: [3, 4] },
        Select: { type: 'int32', values: [5, 6] },
      }),
    },
  });
  const engine = createSqlEngine({ source, memoryLimitBytes: 400e6, spillFolder: null });

  const context = (signal = new AbortController().signal) => ({ signal });

  async function inputOf(sql: string, more: Partial<SqlRun> = {}): Promise<SqlRun> {
    const { names } = await engine.namesOf({ sql }, context());
    const known = relations.filter(({ name }) =>
      names.some((other) => other.toLowerCase() === name.toLowerCase()),
    );
    return { sql, relations: known, ...more };
  }

  const plan = async (sql: string, more: Partial<SqlRun> = {}) =>
    engine.plan(await inputOf(sql, more), context());
  const stream = async (sql: string, more: Partial<SqlRun> = {}): Promise<ByteStream> =>
    engine.run(await inputOf(sql, more), context());
  const run = async (sql: string, more: Partial<SqlRun> = {}) =>
    readRowsAsJson((await stream(sql, more)).chunks, new AbortController().signal);

  async function errorOf(sql: string, more: Partial<SqlRun> = {}): Promise<AppError> {
    try {
      await run(sql, more);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    throw new Error('the statement ran');
  }
  return { source, reads, relations, engine, context, plan, stream, run, inputOf, errorOf };
}
