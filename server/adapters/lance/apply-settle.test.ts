import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EditOp } from '#shared/domain/edits.ts';
import { arrow } from '../../arrow/arrow.ts';
import { cellToJson } from '../../arrow/cell-json.ts';
import type { Changeset } from '../../ports/table-writer.ts';
import type { MadeColumn } from '../../testing/columns.ts';
import { makeForeignTable, makeTable, makeTestHome, type TestHome } from '../../testing/tables.ts';
import { apply } from './apply.ts';
import { settle } from './apply-settle.ts';
import { planEdit } from './plan-edit.ts';
import { buildSchemaFile, valueSqlKey } from './write-files.ts';

const signal = new AbortController().signal;
const context = { signal };
let home: TestHome;

beforeEach(async () => {
  home = await makeTestHome();
});
afterEach(() => home.remove());

const rows = 12;
const plain: Record<string, MadeColumn> = {
  id: {
    type: 'int64',
    values: Array.from({ length: rows }, (_, index) => BigInt(index)),
    nullable: false,
    metadata: { 'curio:key': '1' },
  },
  label: {
    type: 'utf8',
    values: Array.from({ length: rows }, (_, index) => (index % 3 === 0 ? null : `l${index}`)),
  },
  n: { type: 'int32', values: Array.from({ length: rows }, (_, index) => index) },
};
const blobs: Record<string, MadeColumn> = {
  ...plain,
  picture: {
    type: 'blob',
    values: Array.from({ length: rows }, (_, index) =>
      index % 2 ? { data: Buffer.from(`p${index}`), uri: null } : null,
    ),
  },
};

const rowEdit: EditOp[] = [
  { op: 'set', rows: { keys: [1, 2, 3] }, values: { label: 'set' } },
  { op: 'setSql', rows: { keys: [3, 4] }, values: { n: '`n` + 100' } },
  { op: 'insert', rows: [{ id: 50, label: 'new' }, { id: 51 }] },
  { op: 'delete', rows: { keys: [7, 8] } },
];
const columnEdit: EditOp[] = [
  { op: 'addColumn', name: 'score', type: 'float32' },
  { op: 'addColumn', name: 'twice', sql: '`n` * 2' },
  { op: 'renameColumn', name: 'label', to: 'name' },
  { op: 'set', rows: { keys: [1, 2] }, values: { score: 0.5, name: 'set', twice: 7 } },
  { op: 'insert', rows: [{ id: 50, score: 1 }] },
  { op: 'dropColumn', name: 'n' },
];
const blobEdit: EditOp[] = [
  { op: 'set', rows: { keys: [1, 2, 3] }, values: { label: 'set' } },
  { op: 'set', rows: { keys: [2, 5] }, values: { picture: { base64: 'aGk=' } } },
  { op: 'insert', rows: [{ id: 50, picture: { base64: 'aG8=' } }] },
  { op: 'delete', rows: { keys: [7] } },
];

const headOf = async (table: string) => ({
  branch: 'main',
  version: await (await home.connection.openTable(table)).version(),
});

/** All rows by their key, blobs by their bytes. */
async function contentOf(table: string, key = 'id'): Promise<Record<string, Record<string, unknown>>> {
  const handle = await home.connection.openTable(table);
  const content = await handle.query().withRowId().toArrow();
  const ids = Array.from(content.getChild('_rowid')!.toArray() as BigUint64Array);
  const fields = content.schema.fields.map(({ name }) => name).filter((name) => name !== '_rowid');
  const pictures = fields.includes('picture') ? await handle.fetchBlobs('picture', ids) : [];
  return Object.fromEntries(
    ids.map((_, row) => [
      String(cellToJson(content.getChild(key)!, row)),
      Object.fromEntries(
        fields.map((name) => [
          name,
          name === 'picture' ? (pictures[row]?.toString() ?? null) : cellToJson(content.getChild(name)!, row),
        ]),
      ),
    ]),
  );
}

class Crash extends Error {}

/** Applies, and crashes after so many commits. */
async function applyUpTo(table: string, changeset: Changeset, steps: number): Promise<boolean> {
  const head = await headOf(table);
  const crashing = {
    signal,
    onProgress: ({ done }: { done: number }) => {
      if (done === steps) throw new Crash();
    },
  };
  return apply(home, { table, head, changeset }, crashing).then(
    () => true,
    (error: unknown) => {
      if ((error as { cause?: unknown }).cause instanceof Crash || error instanceof Crash) return false;
      throw error;
    },
  );
}

/** The last number: after how many commits nothing of the change itself is there yet. */
const cases: [string, Record<string, MadeColumn>, EditOp[], number][] = [
  ['rows', plain, rowEdit, 0],
  ['columns and rows', plain, columnEdit, 0],
  ['rows of a table with blobs', blobs, blobEdit, 1],
];

describe('a change that crashed after any of its commits is finished', () => {
  test.each(cases)('%s', async (_name, columns, ops, onlyIndexed) => {
    await makeTable(home, 'whole', columns);
    const plan = await planEdit(home, { table: 'whole', head: await headOf('whole'), ops }, context);
    await apply(home, { table: 'whole', head: await headOf('whole'), changeset: plan.changeset }, context);
    const expected = await contentOf('whole');
    const before = await makeTable(home, 'before', columns).then(() => contentOf('before'));
    const states: string[] = [];
    let hasEnded = false;
    for (let steps = 1; !hasEnded; steps++) {
      const table = `crashed${steps}`;
      await makeTable(home, table, columns);
      const head = await headOf(table);
      const { changeset, changed } = await planEdit(home, { table, head, ops }, context);
      hasEnded = await applyUpTo(table, changeset, steps);
      const settled = await settle(home, { table, head, changeset }, context);
      expect(await contentOf(table)).toEqual(settled.state === 'finished' ? expected : before);
      expect(settled.version).toBe((await headOf(table)).version);
      if (settled.state === 'finished') expect(settled.changed).toEqual(changed);
      states.push(settled.state);
      const again = await settle(home, { table, head, changeset }, context);
      expect(again).toEqual(settled);
    }
    expect(states.filter((state) => state === 'untouched').length).toBe(onlyIndexed);
  });

  test('a change that had not begun is left alone', async () => {
    await makeTable(home, 't', plain);
    const head = await headOf('t');
    const { changeset } = await planEdit(home, { table: 't', head, ops: rowEdit }, context);
    expect(await settle(home, { table: 't', head, changeset }, context)).toEqual({
      state: 'untouched',
      version: 1,
      changed: { inserted: 0, updated: 0, deleted: 0 },
    });
  });

  test('commits of others alone do not count as begun', async () => {
    await makeTable(home, 't', plain);
    const head = await headOf('t');
    const { changeset } = await planEdit(home, { table: 't', head, ops: rowEdit }, context);
    await (await home.connection.openTable('t')).update({ where: 'id = 11', values: { label: 'other' } });
    const before = await contentOf('t');
    expect(await settle(home, { table: 't', head, changeset }, context)).toMatchObject({
      state: 'untouched',
      version: 2,
    });
    expect(await contentOf('t')).toEqual(before);
  });
});

test('what others committed since the crash is kept', async () => {
  await makeTable(home, 't', blobs);
  const head = await headOf('t');
  const { changeset } = await planEdit(home, { table: 't', head, ops: blobEdit }, context);
  await applyUpTo('t', changeset, 2);
  const handle = await home.connection.openTable('t');
  await handle.update({ where: 'id in (2, 11)', values: { label: 'other' } });
  await handle.delete('id = 5');
  await handle.add([{ id: 60n, label: 'others', n: 0 }]);
  expect(await settle(home, { table: 't', head, changeset }, context)).toMatchObject({ state: 'finished' });
  const content = await contentOf('t');
  expect(content[1]).toMatchObject({ label: 'set' });
  expect(content[2]).toMatchObject({ label: 'other', picture: 'hi' });
  expect(content[11]).toMatchObject({ label: 'other' });
  expect(content[50]).toMatchObject({ picture: 'ho' });
  expect(content[60]).toMatchObject({ label: 'others' });
  expect(Object.keys(content)).not.toContain('5');
  expect(Object.keys(content)).not.toContain('7');
});

test('a table without a key is finished by its row ids', async () => {
  const columns = {
    a: { type: 'int32', values: [1, 2, 3, 4, 5] },
    s: { type: 'utf8', values: ['v', 'w', 'x', 'y', 'z'] },
  };
  const ops: EditOp[] = [
    { op: 'set', rows: { where: '`a` > 3' }, values: { s: 'high' } },
    { op: 'set', rows: { where: '`a` < 2' }, values: { s: 'low' } },
    { op: 'delete', rows: { where: '`a` = 3' } },
    { op: 'insert', rows: [{ a: 9, s: 'new' }] },
  ];
  for (let steps = 1; steps <= 4; steps++) {
    const table = `f${steps}`;
    await makeForeignTable(home, table, columns);
    const head = await headOf(table);
    const { changeset } = await planEdit(home, { table, head, ops }, context);
    await applyUpTo(table, changeset, steps);
    expect(await settle(home, { table, head, changeset }, context)).toMatchObject({ state: 'finished' });
    const content = await contentOf(table, 'a');
    expect(Object.fromEntries(Object.entries(content).map(([a, row]) => [a, row.s]))).toEqual({
      1: 'low',
      2: 'w',
      4: 'high',
      5: 'high',
      9: 'new',
    });
    expect(await (await home.connection.openTable(table)).countRows()).toBe(5);
  }
});

describe('a change that cannot be finished', () => {
  /** Lance adds the first column and fails at the second. */
  const impossible = (): Changeset => ({
    addColumns: buildSchemaFile([
      new arrow.Field('fine', new arrow.Utf8(), true),
      new arrow.Field('not', new arrow.Int32(), true, new Map([[valueSqlKey, '`label`']])),
    ]),
    dropColumns: [],
    renameColumns: [],
    updates: [],
    inserts: [],
    deletes: null,
  });

  test('is taken back', async () => {
    await makeTable(home, 't', plain);
    const before = await contentOf('t');
    const head = await headOf('t');
    await expect(apply(home, { table: 't', head, changeset: impossible() }, context)).rejects.toMatchObject({
      code: 'SQL_BIND',
    });
    expect((await headOf('t')).version).toBe(2);
    const settled = await settle(home, { table: 't', head, changeset: impossible() }, context);
    expect(settled).toMatchObject({ state: 'untouched', version: 3 });
    expect(await contentOf('t')).toEqual(before);
  });

  test('is not taken back over commits of others', async () => {
    await makeTable(home, 't', plain);
    const head = await headOf('t');
    await expect(apply(home, { table: 't', head, changeset: impossible() }, context)).rejects.toThrow();
    await (await home.connection.openTable('t')).update({ where: 'id = 1', values: { label: 'other' } });
    await expect(settle(home, { table: 't', head, changeset: impossible() }, context)).rejects.toMatchObject({
      code: 'SQL_BIND',
    });
    expect((await contentOf('t'))[1]).toMatchObject({ label: 'other' });
  });
});

test('a restore is there or not', async () => {
  await makeTable(home, 't', plain);
  const handle = await home.connection.openTable('t');
  await handle.update({ where: 'id = 1', values: { label: 'second' } });
  const head = await headOf('t');
  expect(await settle(home, { table: 't', head, changeset: null }, context)).toMatchObject({
    state: 'untouched',
  });
  await handle.update({ where: 'id = 2', values: { label: 'other' } });
  expect(await settle(home, { table: 't', head, changeset: null }, context)).toMatchObject({
    state: 'untouched',
  });
  await handle.checkout(1);
  await handle.restore();
  expect(await settle(home, { table: 't', head, changeset: null }, context)).toMatchObject({
    state: 'finished',
    version: 4,
  });
});
