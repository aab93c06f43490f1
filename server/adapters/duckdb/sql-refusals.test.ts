import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readRowsAsJson } from '../../arrow/rows-as-json.ts';
import { isEngineFunction } from './engine-functions.ts';
import { createSqlEngine } from './sql-engine.ts';
import { makeTestEngine } from './testing/make-test-engine.ts';

const { source, engine, reads, relations, context, run, inputOf, errorOf } = makeTestEngine();

afterAll(() => engine.close());

/** Table functions of DuckDB that read what a statement names, its catalog, or files (which are refused on their own). */
const harmlessFunctions = [
  'duckdb_columns duckdb_constraints duckdb_coordinate_systems duckdb_dependencies',
  'duckdb_extensions duckdb_functions duckdb_indexes duckdb_keywords duckdb_memory',
  'duckdb_optimizers duckdb_schemas duckdb_secret_types duckdb_sequences duckdb_table_sample',
  'duckdb_tables duckdb_types duckdb_views generate_series glob histogram histogram_values',
  'icu_calendar_names json_each json_tree parquet_bloom_probe parquet_file_metadata',
  'parquet_full_metadata parquet_kv_metadata parquet_metadata parquet_scan parquet_schema',
  'pg_timezone_names pragma_collations pragma_database_size pragma_metadata_info pragma_show',
  'pragma_storage_info pragma_table_info pragma_user_agent pragma_version range read_blob read_csv',
  'read_csv_auto read_duckdb read_json read_json_auto read_json_objects read_json_objects_auto',
  'read_ndjson read_ndjson_auto read_ndjson_objects read_parquet read_text repeat repeat_row',
  'sniff_csv sql_auto_complete summary test_all_types test_vector_types unnest',
].flatMap((line) => line.split(' '));

describe('refusals', () => {
  test.each<[string, string, RegExp, { line: number; column: number } | undefined]>([
    ['', 'SQL_SYNTAX', /no statement/, { line: 1, column: 1 }],
    ['-- nothing', 'SQL_SYNTAX', /no statement/, { line: 1, column: 1 }],
    ['select from', 'SQL_SYNTAX', /end of input/, { line: 1, column: 12 }],
    ['select 1\nfrom clips\nwhree id = 2', 'SQL_SYNTAX', /"id"|whree/, { line: 3, column: 7 }],
    ['select 1; select 2', 'SQL_SYNTAX', /second statement/, { line: 1, column: 11 }],
    ['select 1; drop table clips', 'SQL_SYNTAX', /second statement/, { line: 1, column: 11 }],
    ['select idd from clips', 'SQL_BIND', /“idd”/, { line: 1, column: 8 }],
    ["  -- first\n  select 'é', nam from clips", 'SQL_BIND', /“nam”/, { line: 2, column: 15 }],
    ['select clips.scor from clips', 'SQL_BIND', /“scor”/, { line: 1, column: 8 }],
    ['select foo(1)', 'SQL_BIND', /function “foo”/, { line: 1, column: 8 }],
    ['select id from nowhere', 'SQL_BIND', /table “nowhere”/, { line: 1, column: 16 }],
    ['select sum(name) from clips', 'SQL_BIND', /sum\(VARCHAR\)/, { line: 1, column: 8 }],
    ['insert into clips values (1)', 'FORBIDDEN', /INSERT/, { line: 1, column: 1 }],
    ['update clips set id = 1', 'FORBIDDEN', /UPDATE/, { line: 1, column: 1 }],
    ['delete from clips', 'FORBIDDEN', /DELETE/, { line: 1, column: 1 }],
    ['drop table clips', 'FORBIDDEN', /DROP/, { line: 1, column: 1 }],
    ['create table x as select 1', 'FORBIDDEN', /CREATE/, { line: 1, column: 1 }],
    ['explain insert into clips values (1)', 'FORBIDDEN', /INSERT/, { line: 1, column: 9 }],
    ['explain analyze delete from clips', 'FORBIDDEN', /DELETE/, { line: 1, column: 17 }],
    ["attach 'x.db'", 'FORBIDDEN', /ATTACH/, { line: 1, column: 1 }],
    ["copy (select 1) to 'x.csv'", 'FORBIDDEN', /COPY/, { line: 1, column: 1 }],
    ['pragma database_list', 'FORBIDDEN', /PRAGMA/, { line: 1, column: 1 }],
    ["set memory_limit = '100GB'", 'FORBIDDEN', /SET/, { line: 1, column: 1 }],
    ['install httpfs', 'FORBIDDEN', /INSTALL/, { line: 1, column: 1 }],
    ['call pragma_version()', 'FORBIDDEN', /CALL/, { line: 1, column: 1 }],
    ['begin', 'FORBIDDEN', /BEGIN/, { line: 1, column: 1 }],
    ["select * from read_csv('/etc/passwd')", 'FORBIDDEN', /files/, { line: 1, column: 15 }],
    ["select * from '/etc/passwd'", 'SQL_BIND', /etc/, { line: 1, column: 15 }],
    ["select * from 'x.parquet'", 'FORBIDDEN', /files/, undefined],
    ["from read_text('/etc/passwd')", 'FORBIDDEN', /files/, { line: 1, column: 6 }],
    ['show tables', 'UNSUPPORTED', /SHOW/, undefined],
    ['pivot clips on category using count(*)', 'UNSUPPORTED', /PIVOT/, { line: 1, column: 1 }],
    ['select st_point(1, 2)', 'UNSUPPORTED', /spatial/, undefined],
    ["select 'x'::int", 'BAD_REQUEST', /'x'/, { line: 1, column: 11 }],
    ["select error('boom')", 'BAD_REQUEST', /[Bb]oom/, undefined],
    ['select $1', 'BAD_REQUEST', /parameter/, undefined],
    ['from enable_logging()', 'FORBIDDEN', /engine itself/, { line: 1, column: 6 }],
    ['select * from (from main.enable_profiling())', 'FORBIDDEN', /engine/, { line: 1, column: 21 }],
    ['explain from duckdb_settings', 'FORBIDDEN', /engine/, { line: 1, column: 14 }],
    ["select current_setting('temp_directory')", 'FORBIDDEN', /engine/, { line: 1, column: 8 }],
    ["from query('from enable_logging()')", 'FORBIDDEN', /runs a text/, { line: 1, column: 6 }],
    ['select 1 \0', 'SQL_SYNTAX', /NUL/, { line: 1, column: 10 }],
  ])('%j: %s', async (sql, code, message, at) => {
    const error = await errorOf(sql);
    expect({ code: error.code, at: error.at }).toEqual({ code, at });
    expect(error.message).toMatch(message);
    expect(error.message).not.toMatch(/LINE \d|curio_/);
  });

  test.each<[string, string]>([
    ['signs', `select ${'+ '.repeat(3000)}1`],
    ['sums', `select 1${'+1'.repeat(400)}`],
    ['calls', `select ${'abs('.repeat(400)}1${')'.repeat(400)}`],
    ['subqueries', `select ${'(select '.repeat(400)}1${')'.repeat(400)}`],
  ])('deep nesting is refused before it costs: %s', async (_what, sql) => {
    const error = await errorOf(sql);
    expect({ code: error.code, message: error.message }).toEqual({
      code: 'SQL_SYNTAX',
      message: 'The statement is nested too deeply.',
    });
    expect(error.hint).not.toMatch(/max_expression_depth/);
  });

  test('long lists are not deep', async () => {
    const where = Array.from({ length: 2000 }, (_, id) => `id = ${id}`).join(' or ');
    expect((await run(`select count(*)::int n from clips where ${where}`)).rows).toHaveLength(1);
  });

  test('hints name what is near', async () => {
    expect((await errorOf('select scor from clips')).hint).toBe('Did you mean “score”?');
    expect((await errorOf('select id from clip')).hint).toBeUndefined();
    const missing = [{ name: 'clip', message: 'There is no table “clip”', hint: 'Did you mean “clips”?' }];
    expect(await errorOf('select id\nfrom clip', { missing })).toMatchObject({
      message: 'There is no table “clip”.',
      hint: 'Did you mean “clips”?',
      at: { line: 2, column: 6 },
    });
  });

  test('every table function is known: it reads, or it works on the engine', async () => {
    const names = await run(
      "select distinct function_name f from duckdb_functions() where function_type like 'table%' order by f",
    );
    const others = names.rows.map(({ f }) => String(f)).filter((name) => !isEngineFunction(name));
    expect(others).toEqual(harmlessFunctions);
  });

  test('a long list of values is no call with too many arguments', async () => {
    const { rows } = await run(`select count(*)::int n from clips where id in (${'7,'.repeat(130_000)}7)`);
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('values without a place are refused', async () => {
    expect(await errorOf('select ?', { params: [1, 2] })).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The statement has one parameter, but params has 2 values.',
    });
  });

  test('more memory than there is, and the engine goes on', async () => {
    const error = await errorOf('select max(l) from (select list(a.id || b.name) l from clips a, clips b)');
    expect(error.code).toBe('MEMORY');
    expect((await run('select count(*)::int n from clips')).rows).toEqual([{ n: 3000 }]);
  });

  test('abort interrupts at once', async () => {
    const controller = new AbortController();
    const input = await inputOf(
      'select count(*) from clips a, clips b, clips c where a.id * b.id * c.id % 7 = 3',
    );
    const running = engine.run(input, context(controller.signal));
    setTimeout(() => controller.abort(), 200);
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await run('select 3 a')).rows).toEqual([{ a: 3 }]);
  });
});

describe('memory', () => {
  const statement =
    'select max(r)::int m from (select row_number() over (order by hash(i), i) r from range(3000000) t(i))';

  test('what does not fit is spilled to the folder, and without one is an error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'curio-spill-'));
    const spilling = createSqlEngine({ source, memoryLimitBytes: 80e6, spillFolder: folder });
    const strict = createSqlEngine({ source, memoryLimitBytes: 80e6, spillFolder: null });
    try {
      const { chunks } = await spilling.run({ sql: statement, relations: [] }, context());
      expect((await readRowsAsJson(chunks, new AbortController().signal)).rows).toEqual([{ m: 3_000_000 }]);
      await expect(strict.run({ sql: statement, relations: [] }, context())).rejects.toMatchObject({
        code: 'MEMORY',
      });
    } finally {
      await Promise.all([spilling.close(), strict.close()]);
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('columns that are far too large are refused before they are read', async () => {
    reads.length = 0;
    const small = createSqlEngine({
      source,
      memoryLimitBytes: 200e6,
      spillFolder: null,
      maxLoadBytes: 20_000,
    });
    try {
      const rejected = small.run(
        { sql: 'select max(vector) from clips', relations: relations.filter(({ name }) => name === 'clips') },
        context(),
      );
      await expect(rejected).rejects.toMatchObject({
        code: 'MEMORY',
        message: expect.stringContaining('36 kB'),
      });
      expect(reads).toEqual([]);
    } finally {
      await small.close();
    }
  });
});
