import { Index, type Table } from '@lancedb/lancedb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PinnedRef } from '#shared/domain/ref.ts';
import { arrow } from '../../../arrow/arrow.ts';
import { dataCellToJson } from '../../../arrow/cell-json.ts';
import type { CallContext } from '../../../ports/call.ts';
import type { MergePlanInput, TableDiff } from '../../../ports/table-diff.ts';
import { type MadeColumn, makeArrowTable } from '../../../testing/columns.ts';
import { makeForeignTable, makeTable, makeTestHome, type TestHome } from '../../../testing/tables.ts';
import { apply } from '../apply.ts';
import { readLineage } from '../lines.ts';
import { createLanceParts } from '../table-reader.ts';
import { findCandidates } from './find-candidates.ts';
import { createTableDiff } from './index.ts';
import { openSide } from './side.ts';
import { createTrust } from './trust-versions.ts';

let home: TestHome;
let diff: TableDiff;
beforeAll(async () => {
  home = await makeTestHome();
  diff = createTableDiff(createLanceParts({ home, cache: `${home.path}/.cache` }));
});
afterAll(() => home.remove());

const context: CallContext = { signal: new AbortController().signal };
const isKey = { 'curio:key': '1' };
const alsoKey = { 'curio:key': '2' };
const numbers = (count: number, of = (at: number): unknown => at): unknown[] =>
  Array.from({ length: count }, (_, at) => of(at));

let made = 0;
let name: string;
let main: Table;
let exp: Table;
let base: PinnedRef;
beforeEach(() => {
  name = `table${made++}`;
});

/** A table with a branch `exp`. */
async function start(columns: Record<string, MadeColumn>, make = makeTable): Promise<void> {
  main = await make(home, name, columns);
  await split();
}

async function split(): Promise<void> {
  base = { branch: 'main', version: await main.version() };
  await (await main.branches()).create('exp');
  exp = await home.connection.openTable(name, [], { branch: 'exp' });
}

async function sides() {
  const from = { branch: 'exp', version: await exp.version() };
  const into = { branch: 'main', version: await main.version() };
  return { table: name, base, from, into };
}

const upsert = (table: Table, key: string[], columns: Record<string, MadeColumn>) =>
  table.mergeInsert(key).whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(makeArrowTable(columns));

const summarize = async () => diff.summarize(await sides(), context);
const plan = async (more: Partial<MergePlanInput> = {}) =>
  diff.planMerge({ ...(await sides()), ...more }, context);

async function merge(more: Partial<MergePlanInput> = {}) {
  const planned = await plan(more);
  expect(planned.status).toBe('ready');
  const { into } = await sides();
  await apply(home, { table: name, head: into, changeset: planned.changeset! }, context);
  return planned;
}

async function rows(table: Table, columns: string[]): Promise<unknown[][]> {
  const { batches, schema } = await table.query().select(columns).toArrow();
  return batches
    .flatMap((batch) =>
      numbers(batch.numRows, (row) =>
        columns.map((column) =>
          dataCellToJson(
            batch.data.children[schema.fields.findIndex((field) => field.name === column)] as never,
            row as number,
          ),
        ),
      ),
    )
    .map((row) => row as unknown[])
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

async function changed(more: Record<string, unknown> = {}) {
  const stream = await diff.rows({ ...(await sides()), ...more }, context);
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.chunks) chunks.push(chunk);
  return arrow
    .tableFromIPC(Buffer.concat(chunks))
    .batches.flatMap((batch) =>
      numbers(batch.numRows, (row) =>
        Object.fromEntries(
          batch.schema.fields.map((field, at) => [
            field.name,
            dataCellToJson(batch.data.children[at] as never, row as number),
          ]),
        ),
      ),
    ) as Record<string, never>[];
}

describe('large fragments', () => {
  const count = 6000;
  const wide = (): Record<string, MadeColumn> => ({
    id: { type: 'int64', values: numbers(count, (at) => BigInt(at as number)), metadata: isKey },
    label: { type: 'utf8', values: numbers(count, (at) => `label ${at}`) },
    score: { type: 'float64', values: numbers(count) },
  });
  const patch = {
    id: { type: 'int64', values: [7n, 5999n] },
    score: { type: 'float64', values: [-1, 5999] },
  };

  async function candidates() {
    const { table, from } = await sides();
    const [before, after] = await Promise.all([openSide(home, table, base), openSide(home, table, from)]);
    const lineage = await readLineage(home, { table, a: base, b: from });
    const columns = before.fields.map(({ partIds }, column) => ({
      column,
      baseIds: partIds,
      sideIds: after.fields[column]!.partIds,
    }));
    return findCandidates(before, after, { columns, trust: createTrust(home, before, after, lineage) });
  }

  test('of which a column was patched: only the rows that were written are looked at', async () => {
    main = await makeTable(home, name, wide());
    await main.createIndex('id', { config: Index.btree() });
    await split();
    await exp.mergeInsert('id').whenMatchedUpdateAll().execute(makeArrowTable(patch));
    const { placed, gone, come } = await candidates();
    expect([placed.map(({ baseIds }) => [...baseIds]), gone.ids.length, come.ids.length]).toEqual([
      [[7, 5999]],
      0,
      0,
    ]);
    expect(await summarize()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      cells: { score: 1 },
    });
  });

  test('that were compacted are the same, whatever was done between', async () => {
    await start(wide());
    await exp.update({ where: 'id = 3', values: { label: 'three' } });
    await exp.delete('id = 4');
    await exp.optimize();
    await exp.add(makeArrowTable({ id: { type: 'int64', values: [9000n] } }));
    await exp.optimize();
    expect(await summarize()).toMatchObject({
      rows: { added: 1, removed: 1, modified: 1 },
      cells: { label: 1 },
    });
  });

  test('that were written by operations which say nothing of rows are compared cell by cell', async () => {
    await start(wide());
    await exp.addColumns([{ name: 'twice', valueSql: 'score * 2' }]);
    await exp.dropColumns(['twice']);
    await exp.update({ where: 'id = 3', values: { label: 'three' } });
    await exp.optimize();
    expect(await summarize()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      columns: { added: [], removed: [] },
    });
  });

  test('of tables without stable row ids are matched by key', async () => {
    await start(wide(), makeForeignTable);
    await exp.update({ where: 'id = 3', values: { label: 'three' } });
    await exp.optimize();
    await exp.delete('id > 5990');
    expect(await summarize()).toMatchObject({
      rows: { added: 0, removed: 9, modified: 1 },
      cells: { label: 1 },
    });
    await merge();
    expect(await main.countRows()).toBe(count - 9);
  });

  test('without key and stable row ids are matched by content', async () => {
    const { id, ...rest } = wide();
    await start({ id: { ...id!, metadata: {} }, ...rest }, makeForeignTable);
    await exp.update({ where: 'id = 3', values: { label: 'three' } });
    await exp.optimize();
    expect(await summarize()).toMatchObject({
      rows: { added: 1, removed: 1, modified: 0 },
      mergeable: false,
    });
  });
});

describe('blobs', () => {
  const picture = (text: string | null) => (text === null ? null : { data: Buffer.from(text), uri: null });
  const large = 'x'.repeat(3_000_000);
  beforeEach(() =>
    start({
      id: { type: 'int64', values: [1n, 2n, 3n, 4n, 5n], metadata: isKey },
      picture: { type: 'blob', values: ['one', 'two', null, '', large].map(picture) },
      label: { type: 'utf8', values: ['a', 'b', 'c', 'd', 'e'] },
    }),
  );

  const change = (values: Record<number, string | null>) =>
    upsert(exp, ['id'], {
      id: { type: 'int64', values: Object.keys(values).map(BigInt) },
      picture: { type: 'blob', values: Object.values(values).map(picture) },
      label: { type: 'utf8', values: Object.keys(values).map((id) => 'abcde'[Number(id) - 1]) },
    });

  test('that were written again are the same, by content', async () => {
    await exp.update({ where: 'id > 0', values: { label: 'z' } });
    expect((await summarize()).cells).toEqual({ label: 5 });
  });

  test('differ by content, size and null', async () => {
    await change({ 1: 'two', 2: 'two', 3: '', 4: null, 5: `${large.slice(1)}y` });
    expect(await summarize()).toMatchObject({ rows: { modified: 4 }, cells: { picture: 4 } });
    const [first] = await changed();
    expect(first).toMatchObject({
      base: { id: '1', picture: { sizeBytes: 3, contentType: 'text/plain' }, label: 'a' },
      from: { picture: { sizeBytes: 3 } },
      _rowids: { base: '0', from: '0', into: '0' },
    });
  });

  test('are not copied when something else is merged, and come along when they changed or are new', async () => {
    await exp.update({ where: 'id = 1', values: { label: 'z' } });
    const quiet = await plan();
    const fields = quiet.changeset!.updates.map((file) =>
      arrow.tableFromIPC(file).schema.fields.map((field) => field.name),
    );
    expect(fields).toEqual([['id', 'label']]);
    await change({ 2: 'twenty', 6: 'six' });
    const apart = (await plan()).changeset!.updates.map((file) => arrow.tableFromIPC(file));
    expect(apart.map((file) => [file.numRows, file.schema.fields.map((field) => field.name)])).toEqual([
      [1, ['id', 'label']],
      [1, ['id', 'picture']],
    ]);
    await merge();
    const ids = await main.query().select(['id', '_rowid']).where('id in (1, 2, 6)').toArray();
    const sorted = ids.sort((a, b) => Number(a.id - b.id)).map((row) => row._rowid as bigint);
    expect((await main.fetchBlobs('picture', sorted)).map(String)).toEqual(['one', 'twenty', 'six']);
    expect(await summarize()).toMatchObject({ conflicts: { rows: 0 } });
  });
});

describe('keys', () => {
  test.each([
    ['int32', [1, 2, 3], 2],
    ['uint64', [1n, 2n, 18_446_744_073_709_551_615n], '18446744073709551615'],
    ['int64', [-1n, 9_007_199_254_740_993n, 9_007_199_254_740_992n], '9007199254740993'],
    ['utf8', ['a', "o'hara", 'ü'], "o'hara"],
    ['bool', [true, false, null], true],
    ['date32', [1, 2, 3], '1970-01-03'],
    ['timestamp[us, UTC]', [1n, 2n, 3n], '1970-01-01T00:00:00.000002Z'],
    ['decimal128(10, 2)', [100n, 250n, 300n], '2.50'],
    ['fixed_size_binary[2]', [Uint8Array.of(1, 2), Uint8Array.of(3, 4), Uint8Array.of(5, 6)], 'AwQ='],
  ])('of type %s', async (type, values, chosen) => {
    await start({ key: { type, values, metadata: isKey }, x: { type: 'int32', values: [1, 2, 3] } });
    await exp.update({ where: 'x > 0 and key is not null', valuesSql: { x: 'x + 10' } });
    await main.update({ where: 'key is not null', valuesSql: { x: 'x + 20' } });
    expect((await plan()).status).toBe('conflicts');
    const conflicted = (await summarize()).rows.modified;
    await merge({ take: 'into', choices: [{ key: chosen, take: 'from' }] });
    const merged = (await rows(main, ['x'])).flat().filter((x) => (x as number) > 10 && (x as number) < 20);
    expect([merged.length, conflicted]).toEqual([1, values.filter((value) => value !== null).length]);
  });

  test('of several columns, in the order in which they are declared', async () => {
    await start({
      frame: { type: 'int32', values: [1, 2, 1], metadata: alsoKey },
      clip: { type: 'utf8', values: ['a', 'a', 'b'], metadata: isKey },
      x: { type: 'int32', values: [1, 2, 3] },
    });
    await exp.update({ where: "clip = 'a'", valuesSql: { x: 'x + 10' } });
    await exp.add(
      makeArrowTable({
        frame: { type: 'int32', values: [2] },
        clip: { type: 'utf8', values: ['b'] },
        x: { type: 'int32', values: [4] },
      }),
    );
    await main.update({ where: "clip = 'a'", valuesSql: { x: 'x + 20' } });
    expect((await changed()).map(({ _key, _change }) => [_key, _change])).toEqual([
      [{ clip: 'a', frame: 1 }, 'modified'],
      [{ clip: 'a', frame: 2 }, 'modified'],
      [{ clip: 'b', frame: 2 }, 'added'],
    ]);
    expect((await plan()).conflicts.map(({ key }) => key)).toEqual([
      ['a', 1],
      ['a', 2],
    ]);
    await merge({
      choices: [
        { key: ['a', 1], take: 'from' },
        { key: ['a', '2'], column: 'x', take: 'into' },
      ],
    });
    expect(await rows(main, ['clip', 'frame', 'x'])).toEqual([
      ['a', 1, 11],
      ['a', 2, 22],
      ['b', 1, 3],
      ['b', 2, 4],
    ]);
  });

  test('that were changed make another row, and a row that was put back under its key is the same one', async () => {
    await start({
      id: { type: 'int64', values: [1n, 2n, 3n], metadata: isKey },
      x: { type: 'int32', values: [1, 2, 3] },
    });
    await exp.update({ where: 'id = 1', values: { id: '9' } });
    await exp.delete('id = 2');
    await exp.add(makeArrowTable({ id: { type: 'int64', values: [2n] }, x: { type: 'int32', values: [5] } }));
    expect(await summarize()).toMatchObject({ rows: { added: 1, removed: 1, modified: 1 }, cells: { x: 1 } });
    await merge();
    expect(await rows(main, ['id', 'x'])).toEqual([
      ['2', 5],
      ['3', 3],
      ['9', 1],
    ]);
  });

  test('that stand twice are found and named', async () => {
    await start({
      id: { type: 'int64', values: [1n, 2n, 3n], metadata: isKey },
      x: { type: 'int32', values: [1, 2, 3] },
    });
    await exp.add(makeArrowTable({ id: { type: 'int64', values: [7n, 7n] } }));
    expect(await summarize()).toMatchObject({
      mergeable: false,
      notices: [expect.stringContaining('key 7')],
    });
    await expect(plan()).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('key 7'),
    });
  });

  test('that stand twice where a change is to go are found and named', async () => {
    await start({
      id: { type: 'int64', values: [1n, 2n, 2n], metadata: isKey },
      x: { type: 'int32', values: [1, 2, 3] },
    });
    await exp.update({ where: 'x = 3', values: { x: '9' } });
    await expect(plan()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('key 2'),
    });
  });

  test('that are missing are counted, and their rows are not merged', async () => {
    await start({
      id: { type: 'int64', values: [1n, null, 3n], metadata: isKey },
      x: { type: 'int32', values: [1, 2, 3] },
    });
    await exp.add(
      makeArrowTable({ id: { type: 'int64', values: [null] }, x: { type: 'int32', values: [4] } }),
    );
    expect(await summarize()).toMatchObject({
      rows: { added: 1 },
      mergeable: false,
      notices: [expect.stringContaining('no key')],
    });
  });
});

describe('columns', () => {
  const plain = (): Record<string, MadeColumn> => ({
    id: { type: 'int64', values: [1n, 2n, 3n], metadata: isKey },
    x: { type: 'int32', values: [1, 2, 3] },
  });

  const addColumn = async (table: Table, column: string, type: string, values: Record<number, unknown>) => {
    await table.addColumns(
      new arrow.Schema([makeArrowTable({ [column]: { type, values: [] } }).schema.fields[0]!]),
    );
    await upsert(table, ['id'], {
      id: { type: 'int64', values: Object.keys(values).map(BigInt) },
      [column]: { type, values: Object.values(values) },
    });
  };

  test('that both sides added with one type are merged cell by cell', async () => {
    await start(plain());
    await addColumn(exp, 'y', 'utf8', { 1: 'one', 2: 'two' });
    await addColumn(main, 'y', 'utf8', { 2: 'zwei', 3: 'drei' });
    await exp.update({ where: 'id = 1', values: { x: '11' } });
    expect(await summarize()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      cells: { x: 1 },
      columns: { added: ['y'] },
      conflicts: { rows: 1, cells: 1 },
    });
    expect((await changed({ conflictsOnly: true })).map(({ _key, _conflict }) => [_key, _conflict])).toEqual([
      ['2', ['y']],
    ]);
    expect(await plan()).toMatchObject({
      status: 'conflicts',
      conflicts: [{ key: '2', column: 'y', base: null, from: 'two', into: 'zwei' }],
    });
    await merge({ choices: [{ key: 2, column: 'y', value: 'deux' }] });
    expect(await rows(main, ['id', 'x', 'y'])).toEqual([
      ['1', 11, 'one'],
      ['2', 2, 'deux'],
      ['3', 3, 'drei'],
    ]);
  });

  test('that both sides added with two types cannot be merged', async () => {
    await start(plain());
    await addColumn(exp, 'y', 'utf8', { 1: 'one' });
    await addColumn(main, 'y', 'float64', { 2: 2 });
    expect(await summarize()).toMatchObject({
      mergeable: false,
      notices: [expect.stringContaining('utf8, float64')],
    });
  });

  test('that were retyped are told by name, keep their values, and cannot be merged one-sided', async () => {
    await start(plain());
    await exp.alterColumns([{ path: 'x', dataType: 'int64' }]);
    await exp.update({ where: 'id = 2', values: { x: '22' } });
    expect(await summarize()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      cells: { x: 1 },
      columns: { changed: [{ name: 'x', before: 'x int32', after: 'x int64' }] },
      mergeable: false,
      notices: [expect.stringContaining('int32 to int64')],
    });
  });

  test('that were renamed carry their changes along', async () => {
    await start(plain());
    await exp.alterColumns([{ path: 'x', rename: 'count' }]);
    await exp.update({ where: 'id = 1', values: { count: '11' } });
    await main.update({ where: 'id = 2', values: { x: '22' } });
    expect(await summarize()).toMatchObject({
      rows: { modified: 1 },
      cells: { count: 1 },
      columns: { added: [], removed: [] },
    });
    await merge();
    expect(await rows(main, ['id', 'count'])).toEqual([
      ['1', 11],
      ['2', 22],
      ['3', 3],
    ]);
  });

  test('that are the key are compared under their new name, and have to get the old one back for a merge', async () => {
    await start(plain());
    await exp.alterColumns([{ path: 'id', rename: 'name' }]);
    await exp.update({ where: 'name = 1', values: { x: '11' } });
    expect(await summarize()).toMatchObject({
      rows: { added: 0, removed: 0, modified: 1 },
      mergeable: false,
      notices: [expect.stringContaining('renamed to name')],
    });
  });

  test('that main renamed get the changes of the branch', async () => {
    await start(plain());
    await main.alterColumns([{ path: 'x', rename: 'count' }]);
    await exp.update({ where: 'id = 1', values: { x: '11' } });
    await exp.add(makeArrowTable({ id: { type: 'int64', values: [4n] }, x: { type: 'int32', values: [4] } }));
    await merge();
    expect(await rows(main, ['id', 'count'])).toEqual([
      ['1', 11],
      ['2', 2],
      ['3', 3],
      ['4', 4],
    ]);
  });

  test('that both renamed differently are asked about', async () => {
    await start(plain());
    await exp.alterColumns([{ path: 'x', rename: 'a' }]);
    await main.alterColumns([{ path: 'x', rename: 'b' }]);
    expect(await plan()).toMatchObject({
      status: 'conflicts',
      conflicts: [{ key: null, column: 'a', base: 'x int32', from: 'a int32', into: 'b int32' }],
    });
    await merge({ choices: [{ key: null, column: 'a', take: 'from' }] });
    expect((await main.schema()).fields.map((field) => field.name)).toEqual(['id', 'a']);
  });

  test('that main dropped come back when the branch changed them and that is what is wanted', async () => {
    await start(plain());
    await main.dropColumns(['x']);
    await exp.update({ where: 'id = 1', values: { x: '11' } });
    expect(await plan()).toMatchObject({
      status: 'conflicts',
      conflicts: [{ key: null, column: 'x', into: null }],
    });
    expect((await plan({ take: 'into' })).changeset).toMatchObject({ updates: [], addColumns: null });
    await merge({ take: 'from' });
    expect(await rows(main, ['id', 'x'])).toEqual([
      ['1', 11],
      ['2', 2],
      ['3', 3],
    ]);
  });

  test('that were dropped and added again under their name are compared by value', async () => {
    await start(plain());
    await exp.dropColumns(['x']);
    await addColumn(exp, 'x', 'int32', { 1: 1, 2: 2, 3: 33 });
    expect(await summarize()).toMatchObject({
      rows: { modified: 1 },
      cells: { x: 1 },
      columns: { added: [], removed: [] },
    });
  });

  test('of JSON text are compared and merged as they are', async () => {
    await start({ ...plain(), note: { type: 'json', values: ['{"a":1}', '[]', null] } });
    await upsert(exp, ['id'], {
      id: { type: 'int64', values: [1n, 4n] },
      x: { type: 'int32', values: [1, 4] },
      note: { type: 'json', values: ['{"a":2}', '"new"'] },
    });
    expect(await summarize()).toMatchObject({ rows: { added: 1, modified: 1 }, cells: { note: 1 } });
    await merge();
    expect(await rows(main, ['id', 'note'])).toEqual([
      ['1', '{"a":2}'],
      ['2', '[]'],
      ['3', null],
      ['4', '"new"'],
    ]);
  });

  test('tell what was said of them, and it comes along', async () => {
    await start(plain());
    await main.updateFieldMetadata([{ path: 'x', metadata: { 'curio:role': 'number' } }]);
    await exp.updateFieldMetadata([{ path: 'x', metadata: { 'curio:description': 'how many' } }]);
    expect((await summarize()).columns.facts).toEqual([
      { column: 'x', fact: 'curio:description', before: null, after: 'how many' },
    ]);
    expect(await merge()).toMatchObject({ rows: { inserted: 0, updated: 0, deleted: 0 } });
    const field = (await main.schema()).fields.find((each) => each.name === 'x');
    expect(field?.metadata).toEqual(
      new Map([
        ['curio:role', 'number'],
        ['curio:description', 'how many'],
      ]),
    );
    expect(await plan()).toMatchObject({ status: 'up-to-date' });
  });
});

test('a change of a branch is taken back by row id, where the table has no key', async () => {
  await start({
    x: { type: 'int32', values: [1, 2, 3, 4] },
    y: { type: 'utf8', values: ['a', 'b', 'c', 'd'] },
  });
  const before = { branch: 'exp', version: await exp.version() };
  await exp.update({ where: 'x = 1', values: { x: '11' } });
  await exp.delete('x = 2');
  await exp.add(makeArrowTable({ x: { type: 'int32', values: [5] }, y: { type: 'utf8', values: ['e'] } }));
  const after = { branch: 'exp', version: await exp.version() };
  await exp.update({ where: 'x = 3', values: { y: 'z' } });
  const head = { branch: 'exp', version: await exp.version() };
  const undo = { table: name, base: after, from: before, into: head };
  await expect(diff.planMerge(undo, context)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  const planned = await diff.planMerge({ ...undo, byRowId: true }, context);
  expect(planned).toMatchObject({ status: 'ready', rows: { inserted: 1, updated: 1, deleted: 1 } });
  await apply(home, { table: name, head, changeset: planned.changeset! }, context);
  expect(await rows(exp, ['x', 'y'])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'z'],
    [4, 'd'],
  ]);
});

test('two refs without a base are compared directly', async () => {
  await start({
    id: { type: 'int64', values: [1n, 2n], metadata: isKey },
    x: { type: 'int32', values: [1, 2] },
  });
  await exp.update({ where: 'id = 1', values: { x: '11' } });
  await main.update({ where: 'id = 2', values: { x: '22' } });
  const two = { ...(await sides()), base: null };
  expect(await diff.summarize(two, context)).toMatchObject({
    mode: 'two-way',
    base: null,
    rows: { modified: 2 },
    mergeable: false,
  });
});

test('a version that was cleaned up is GONE, and work that nobody waits for ends', async () => {
  await start({ id: { type: 'int64', values: [1n, 2n], metadata: isKey } });
  const input = await sides();
  await expect(
    diff.summarize({ ...input, from: { branch: 'exp', version: 99 } }, context),
  ).rejects.toMatchObject({ code: 'GONE' });
  await expect(diff.summarize(input, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
});
