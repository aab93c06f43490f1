import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EditOp } from '#shared/domain/edits.ts';
import type { MadeColumn } from './testing/columns.ts';
import { type ServerProcess, startServerProcess } from './testing/server-process.ts';
import { makeTable, makeTestHome, type TestHome } from './testing/tables.ts';

const rowCount = 40;
const plain: Record<string, MadeColumn> = {
  id: {
    type: 'int64',
    values: Array.from({ length: rowCount }, (_, index) => BigInt(index)),
    nullable: false,
    metadata: { 'curio:key': '1' },
  },
  label: { type: 'utf8', values: Array.from({ length: rowCount }, () => 'start') },
  n: { type: 'int32', values: Array.from({ length: rowCount }, () => 0) },
};
const media: Record<string, MadeColumn> = {
  ...plain,
  picture: {
    type: 'blob',
    values: Array.from({ length: rowCount }, (_, index) => ({ data: Buffer.alloc(500, index), uri: null })),
  },
};

let home: TestHome;
let server: ServerProcess | null = null;
const started: ServerProcess[] = [];
const patienceMs = 300_000;

const restart = async (failpoint?: string): Promise<ServerProcess> => {
  server = await startServerProcess(home.path, failpoint);
  started.push(server);
  return server;
};

interface Row {
  id: number;
  label: string;
  n: number;
}

const rowsOf = async (
  from: ServerProcess,
  table: string,
  ref: string,
): Promise<{ ref: string; rows: Row[] }> => {
  const body = { ref, columns: ['id', 'label', 'n'], limit: 10_000 };
  const response = await from.post(`/api/v1/tables/${table}/rows?format=json`, body);
  if (!response.ok) throw new Error(await response.text());
  const answer = (await response.json()) as { ref: unknown; rows: Row[] };
  const rows = answer.rows.map(({ id, label, n }) => ({ id: Number(id), label, n }));
  return { ref: JSON.stringify(answer.ref), rows: rows.sort((a, b) => a.id - b.id) };
};

const edit = (to: ServerProcess, table: string, ops: EditOp[]) =>
  to.post(`/api/v1/tables/${table}/edits`, { branch: 'exp', ops });

beforeAll(async () => {
  home = await makeTestHome();
  for (const [name, columns] of Object.entries({ plain, media })) {
    const table = await makeTable(home, name, columns);
    await (await table.branches()).create('exp');
  }
});

afterAll(async () => {
  await Promise.all(started.map((each) => each.kill()));
  await home.remove();
});

describe('a server that is killed in the middle of a change', () => {
  const change = (mark: number): EditOp[] => [
    { op: 'set', rows: { keys: [1, 2, 3] }, values: { label: `mark ${mark}` } },
    { op: 'setSql', rows: { all: true }, values: { n: 'n + 1' } },
    { op: 'insert', rows: [{ id: 1000 + mark, label: 'new', n: 0 }] },
    { op: 'delete', rows: { keys: [4 + mark] } },
  ];
  /** Where it is killed, changing which table, and whether the change is there afterwards. */
  const points: [string, string, 'applied' | 'not'][] = [
    ['sealGroup:after', 'plain', 'applied'],
    ['openGroup:before', 'plain', 'not'],
    ['openGroup:after', 'plain', 'not'],
    ['commit:1', 'plain', 'applied'],
    ['commit:1', 'media', 'not'],
    ['commit:2', 'media', 'applied'],
    ['commit:4', 'media', 'applied'],
  ];
  const killedAgain = 3;

  test(
    'has the whole change afterwards, or nothing of it, and main is whole',
    async () => {
      let running = await restart(points[0]?.[0]);
      for (const [mark, [point, table, outcome]] of points.entries()) {
        const place = `${point} of ${table}`;
        const before = await rowsOf(running, table, 'exp');
        await expect(edit(running, table, change(mark)), place).rejects.toThrow();
        await running.ended;
        if (mark === killedAgain)
          await expect(restart('sealGroup:before'), place).rejects.toThrow('The server ended');
        running = await restart(points[mark + 1]?.[0]);
        const after = await rowsOf(running, table, 'exp');
        if (outcome === 'not') expect(after.rows, place).toEqual(before.rows);
        else {
          const kept = before.rows.filter(({ id }) => id !== 4 + mark);
          const expected = kept.map(({ id, label, n }) => ({
            id,
            label: [1, 2, 3].includes(id) ? `mark ${mark}` : label,
            n: n + 1,
          }));
          expect(after.ref, place).not.toBe(before.ref);
          expect(after.rows, place).toEqual([...expected, { id: 1000 + mark, label: 'new', n: 0 }]);
          const { versions } = (await running.get(`/api/v1/tables/${table}/history?ref=exp`)) as {
            versions: unknown[];
          };
          expect(versions[0], place).toMatchObject({ author: 'you', kind: 'edit' });
        }
        expect((await rowsOf(running, table, 'main')).rows.map(({ label }) => label)).toEqual(
          Array(rowCount).fill('start'),
        );
      }
      const undone = await running.post('/api/v1/tables/media/undo', { branch: 'exp' });
      expect(undone.status).toBe(200);
    },
    patienceMs,
  );
});

describe('a server that is killed in the middle of a merge', () => {
  test(
    'has main as it was, or merged with the record of the merge',
    async () => {
      await server?.kill();
      let running = await restart('commit:1');
      const branch = await rowsOf(running, 'media', 'exp');
      const merge = () => running.post('/api/v1/tables/media/merge', { from: 'exp' });
      await expect(merge()).rejects.toThrow();
      await running.ended;

      running = await restart('commit:2');
      const untouched = await rowsOf(running, 'media', 'main');
      expect(untouched.rows.every(({ label }) => label === 'start')).toBe(true);
      await expect(merge()).rejects.toThrow();
      await running.ended;

      running = await restart();
      expect((await rowsOf(running, 'media', 'main')).rows).toEqual(branch.rows);
      const { versions } = (await running.get('/api/v1/tables/media/history?ref=main')) as {
        versions: unknown[];
      };
      expect(versions[0]).toMatchObject({ kind: 'merge', mergedFrom: { branch: 'exp' } });
    },
    patienceMs,
  );
});

describe('a server that is killed while two people edit one branch', () => {
  /** Row 0 holds the number of the newest row, and there is one newest row: true before and after each edit, never within. */
  const turn = (client: number, count: number): EditOp[] => [
    { op: 'set', rows: { keys: [client] }, values: { label: `${count}` } },
    { op: 'insert', rows: [{ id: 10_000 * (client + 1) + count, label: `of ${client}`, n: count }] },
    ...(count === 0 ? [] : [{ op: 'delete' as const, rows: { keys: [10_000 * (client + 1) + count - 1] } }]),
  ];

  test(
    'keeps every edit that was acknowledged, and shows no half of one',
    async () => {
      const counts = [0, 0];
      let running = server ?? (await restart());
      for (let round = 0; round < 3; round++) {
        const killed = running;
        const target = counts.reduce((sum, count) => sum + count, 0) + randomInt(2, 9);
        const work = [0, 1].map(async (client) => {
          for (;;) {
            const answer = await edit(killed, 'media', turn(client, counts[client]!)).catch(() => null);
            if (answer === null) return;
            expect(answer.status, await answer.text()).toBe(200);
            counts[client]! += 1;
            if (counts[0]! + counts[1]! >= target) void killed.kill();
          }
        });
        await Promise.all(work);
        await killed.ended;
        running = await restart();
        const { rows } = await rowsOf(running, 'media', 'exp');
        for (const client of [0, 1]) {
          const newest = rows.filter(({ label }) => label === `of ${client}`);
          const mark = rows.find(({ id }) => id === client)?.label;
          expect(newest.length).toBe(/^\d+$/.test(mark ?? '') ? 1 : 0);
          if (newest[0]) expect(`${newest[0].n}`).toBe(mark);
          const landed = newest[0] ? newest[0].n + 1 : 0;
          expect([counts[client], counts[client]! + 1]).toContain(landed);
          counts[client] = landed;
        }
      }
      expect(counts[0]! + counts[1]!).toBeGreaterThanOrEqual(6);
    },
    patienceMs,
  );
});
