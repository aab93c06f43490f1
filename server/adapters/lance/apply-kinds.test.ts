import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EditOp } from '#shared/domain/edits.ts';
import { cellToJson } from '../../arrow/cell-json.ts';
import { asColumns, editRows, headOf, plainRows, startRows } from '../../testing/edits.ts';
import { everyType, makeForeignTable, makeTable, makeTestHome, type TestHome } from '../../testing/tables.ts';

let home: TestHome;

beforeEach(async () => {
  home = await makeTestHome();
});
afterEach(() => home.remove());

const edit = (table: string, ops: EditOp[], branch?: string) => editRows(home, table, ops, branch);
const rowsOf = (table: string, columns: string[], key?: string) => plainRows(home, table, columns, key);

describe('every type survives being written', () => {
  const values: Record<string, unknown> = {
    bool: true,
    int8: -5,
    int16: 300,
    int32: 7,
    int64: '9007199254740993',
    uint8: 200,
    uint16: 60_000,
    uint32: 4_000_000_000,
    uint64: '18446744073709551615',
    float16: 0.5,
    float32: 1.25,
    float64: 'NaN',
    utf8: 'ü',
    large_utf8: 'large',
    binary: 'AAE=',
    fixed_size_binary: 'AAECAw==',
    decimal128: '-12.345',
    date32: '2024-05-01',
    date64: '1969-12-31',
    timestamp_s: '2024-05-01T10:00:00',
    timestamp_ms: '2024-05-01T10:00:00.123Z',
    timestamp_us: '2024-05-01T10:00:00.123456Z',
    timestamp_ns: '2024-05-01T10:00:00.123456789',
    time32: '10:00:01',
    time64: '10:00:01.000000001',
    duration: 'PT1.500S',
    list: ['a', null],
    list_list: [[1], null, []],
    struct: { x: 1, y: 'one' },
    list_struct: [{ label: 'cat', score: 0.5 }],
    map: { a: 1 },
    vector: [1, 2, 3],
    vector_half: [0.5, 1],
    dictionary: 'blue',
    json: '{"a":[1]}',
  };

  test.each(['set', 'insert'] as const)('by %s, and the other rows stay as they are', async (op) => {
    await makeTable(home, 'e', everyType);
    const read = async () => {
      const handle = await home.connection.openTable('e');
      const table = await handle.query().toArrow();
      const ids = Array.from({ length: table.numRows }, (_, row) => cellToJson(table.getChild('id')!, row));
      return new Map(
        ids.map((id, row) => [
          id,
          Object.fromEntries(
            table.schema.fields.map(({ name }) => [name, cellToJson(table.getChild(name)!, row)]),
          ),
        ]),
      );
    };
    const before = await read();
    if (op === 'set') await edit('e', [{ op, rows: { keys: ['3'] }, values }]);
    else await edit('e', [{ op, rows: [{ id: 3_000, ...values }] }]);
    const after = await read();
    const id = op === 'set' ? '3' : '3000';
    expect(after.get(id)).toEqual({ id, ...values });
    after.delete(id);
    before.delete(id);
    expect(after).toEqual(before);
  });

  test('all emptied again', async () => {
    await makeTable(home, 'e', everyType);
    const nulls = Object.fromEntries(Object.keys(values).map((name) => [name, null]));
    await edit('e', [{ op: 'set', rows: { keys: [1, 2] }, values: nulls }]);
    expect(await rowsOf('e', Object.keys(values))).toEqual([1, 2, 3].map((id) => ({ id, ...nulls })));
  });
});

describe('columns', () => {
  test('are added empty and by expressions, renamed and dropped, together with rows', async () => {
    await makeTable(home, 't', asColumns(startRows(3)));
    const { changed, steps } = await edit('t', [
      { op: 'set', rows: { keys: [3] }, values: { label: 'three' } },
      { op: 'addColumn', name: 'score', type: 'float32' },
      { op: 'addColumn', name: 'upper', sql: 'upper(`label`)' },
      { op: 'renameColumn', name: 'n', to: 'number' },
      { op: 'dropColumn', name: 'tags' },
      { op: 'set', rows: { keys: [6] }, values: { score: 0.5, number: 60 } },
    ]);
    expect(changed).toEqual({ inserted: 0, updated: 2, deleted: 0 });
    expect(steps).toBe(5);
    expect(await rowsOf('t', ['label', 'score', 'upper', 'number'])).toEqual([
      { id: 0, label: null, score: null, upper: null, number: null },
      { id: 3, label: 'three', score: null, upper: 'THREE', number: 1 },
      { id: 6, label: 'l2', score: 0.5, upper: 'L2', number: 60 },
    ]);
  });

  test('an added column changes no row', async () => {
    await makeTable(home, 't', asColumns(startRows(3)));
    expect(await edit('t', [{ op: 'addColumn', name: 'twice', sql: '`n` * 2' }])).toEqual({
      changed: { inserted: 0, updated: 0, deleted: 0 },
      steps: 1,
      version: 2,
    });
  });

  test('a blob column can be added and filled', async () => {
    await makeTable(home, 't', asColumns(startRows(3)));
    await edit('t', [
      { op: 'addColumn', name: 'picture', type: 'blob' },
      { op: 'set', rows: { keys: [0] }, values: { picture: { base64: 'aGk=' }, label: 'has one' } },
    ]);
    const handle = await home.connection.openTable('t');
    const rows = await handle.query().select(['id', 'label']).withRowId().toArray();
    const ids = rows.sort((a, b) => Number(a.id - b.id)).map((row) => row._rowid);
    expect(await handle.fetchBlobs('picture', ids)).toEqual([Buffer.from('hi'), null, null]);
    expect(rows[0].label).toBe('has one');
  });
});

describe('tables without a key', () => {
  const foreign = {
    a: { type: 'int32', values: [1, 2, 3] },
    s: { type: 'utf8', values: ['x', 'y', "z'"] },
    t: { type: 'timestamp[us, UTC]', values: [0n, 1n, null] },
    f: { type: 'float32', values: [1, 2, 3] },
    l: { type: 'list<utf8>', values: [['a'], [], null] },
  };

  test('rows are set and deleted by their ids, and added', async () => {
    await makeForeignTable(home, 'f', foreign);
    await edit('f', [
      {
        op: 'set',
        rows: { where: '`a` > 1' },
        values: { s: "q'", t: '2024-01-01T00:00:00.000001Z', f: 'NaN', l: ['p', null] },
      },
      { op: 'delete', rows: { ids: [0] } },
      { op: 'insert', rows: [{ a: 4 }] },
    ]);
    const handle = await home.connection.openTable('f');
    expect(await rowsOf('f', ['a', 's', 'l'], 'a')).toEqual([
      { a: 2, s: "q'", l: ['p', null] },
      { a: 3, s: "q'", l: ['p', null] },
      { a: 4, s: null, l: null },
    ]);
    expect(await handle.countRows("t = timestamp '2024-01-01T00:00:00.000001Z' and isnan(f)")).toBe(2);
  });

  test('too many different values ask for a key', async () => {
    const many = Array.from({ length: 150 }, (_, index) => index);
    await makeForeignTable(home, 'f', { a: { type: 'int32', values: many } });
    await expect(
      edit('f', [{ op: 'setSql', rows: { all: true }, values: { a: '`a` + 1000' } }]),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED', hint: expect.stringContaining('key') });
    expect(await headOf(home, 'f')).toEqual({ branch: 'main', version: 1 });
  });
});
