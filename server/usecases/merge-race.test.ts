import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MergeResult } from '#shared/api/edits.ts';
import { makeArrowTable } from '../testing/columns.ts';
import { makeTablePorts, type TablePorts } from '../testing/table-ports.ts';
import { makeTable } from '../testing/tables.ts';
import { editTable } from './edit-table.ts';
import { mergeBranches } from './merge-branches.ts';

const context = { signal: new AbortController().signal };
const author = 'ann';
const rows = 40;
const count = <T>(of: (at: number) => T): T[] => Array.from({ length: rows }, (_none, at) => of(at));
let ports: TablePorts;

beforeEach(async () => {
  ports = await makeTablePorts();
  await makeTable(ports.home, 'pets', {
    id: { type: 'int64', values: count(BigInt), nullable: false, metadata: { 'curio:key': '1' } },
    label: { type: 'utf8', values: count(() => 'start') },
    n: { type: 'int32', values: count(() => 0) },
    picture: { type: 'blob', values: count((at) => ({ data: Buffer.alloc(200, at), uri: null })) },
  });
});
afterEach(() => ports.close());

const branch = async (name: string, keys: number[], label: string): Promise<void> => {
  await ports.writer.createBranch({ table: 'pets', name, from: { branch: 'main', version: 1 } }, context);
  await editTable(
    ports,
    {
      table: 'pets',
      branch: name,
      author,
      ops: [
        { op: 'set', rows: { keys }, values: { label } },
        { op: 'delete', rows: { keys: [keys[0]! + 5] } },
        { op: 'insert', rows: [{ id: 1000 + keys[0]!, label }] },
      ],
    },
    context,
  );
};

const merge = (from: string): Promise<MergeResult> =>
  mergeBranches(ports, { table: 'pets', from, into: 'main', author }, context);

const main = async (): Promise<Map<number, { label: string; n: number }>> => {
  const handle = await ports.home.connection.openTable('pets');
  const found = await handle.query().select(['id', 'label', 'n']).toArray();
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  return new Map(found.map(({ id, label, n }) => [Number(id), { label, n }]));
};

test('two merges at once are both on main, one after the other', async () => {
  await branch('a', [1, 2], 'of a');
  await branch('b', [2, 3], 'of b');
  await branch('c', [20, 21], 'of c');
  const [first, second, third] = await Promise.all([merge('c'), merge('a'), merge('b')]);
  expect([first.status, second.status, third.status]).toEqual(['merged', 'merged', 'conflicts']);
  const now = await main();
  expect([1, 2, 3, 20, 21].map((id) => now.get(id)?.label)).toEqual([
    'of a',
    'of a',
    'start',
    'of c',
    'of c',
  ]);
  expect([6, 25].some((id) => now.has(id))).toBe(false);
  expect([1001, 1020].every((id) => now.has(id))).toBe(true);
});

test('merges while another program appends all the time lose nothing of either', async () => {
  const merges = 4;
  for (let at = 0; at < merges; at++) await branch(`b${at}`, [at * 8 + 1, at * 8 + 2], `of ${at}`);
  const other = await ports.home.connection.openTable('pets');
  let isDone = false;
  let appended = 0;
  const writing = (async () => {
    while (!isDone || appended < 3) {
      await other.add(
        makeArrowTable({
          id: { type: 'int64', values: [BigInt(5000 + appended)] },
          label: { type: 'utf8', values: ['appended'] },
          n: { type: 'int32', values: [appended] },
          picture: { type: 'blob', values: [{ data: Buffer.from('other'), uri: null }] },
        }),
      );
      appended += 1;
    }
  })();
  const results: MergeResult[] = [];
  for (let at = 0; at < merges; at++) results.push(await merge(`b${at}`));
  isDone = true;
  await writing;
  expect(results.map(({ status }) => status)).toEqual(Array(merges).fill('merged'));
  const now = await main();
  for (let at = 0; at < merges; at++) {
    expect([1, 2].map((offset) => now.get(at * 8 + offset)?.label)).toEqual([`of ${at}`, `of ${at}`]);
    expect([now.has(at * 8 + 6), now.has(1001 + at * 8)]).toEqual([false, true]);
  }
  for (let at = 0; at < appended; at++)
    expect(now.get(5000 + at), `row ${at}`).toEqual({ label: 'appended', n: at });
  expect(now.size).toBe(rows + appended);
  const { uuid } = await ports.reader.readHeads({ table: 'pets' }, context);
  const edits = ports.store.listEdits({ tableUuid: uuid, branch: 'main', branchCreatedAt: '' });
  expect(edits).toHaveLength(merges);
  expect(ports.store.listOpenGroups()).toEqual([]);
});

test('a merge that says which head it expects is not made on top of rows added since', async () => {
  await branch('a', [1, 2], 'of a');
  const other = await ports.home.connection.openTable('pets');
  const { planMerge } = ports.diff;
  ports.diff.planMerge = async (...input) => {
    const plan = await planMerge(...input);
    await other.add(
      makeArrowTable({
        id: { type: 'int64', values: [5000n] },
        label: { type: 'utf8', values: ['appended'] },
        n: { type: 'int32', values: [0] },
        picture: { type: 'blob', values: [null] },
      }),
    );
    return plan;
  };
  const exact = mergeBranches(
    ports,
    { table: 'pets', from: 'a', into: 'main', expected: { into: 1 }, author },
    context,
  );
  await expect(exact).rejects.toMatchObject({ code: 'HEAD_MOVED' });
  expect((await main()).get(1)?.label).toBe('start');
  expect(await merge('a')).toMatchObject({ status: 'merged' });
});
