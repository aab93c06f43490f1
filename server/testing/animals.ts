import { Index } from '@lancedb/lancedb';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { DiffSummary, MergeResult } from '#shared/api/edits.ts';
import { makeTable } from './tables.ts';
import { makeTestServer, type TestServer } from './test-server.ts';

const names = ['ant', 'bee', 'cat', 'dog', 'eel', 'fox', 'gnu', 'hen'];

export interface ChangedRow {
  _key: unknown;
  _rowids: Record<'base' | 'from' | 'into', string | null>;
  _change: string;
  _columns: string[];
  _conflict: string[];
  base: Record<string, unknown> | null;
  from: Record<string, unknown> | null;
  into: Record<string, unknown> | null;
}

export const set = (name: string, values: Record<string, unknown>) => ({
  op: 'set',
  rows: { keys: [name] },
  values,
});
export const remove = (name: string) => ({ op: 'delete', rows: { keys: [name] } });
export const insert = (name: string, legs: number) => ({ op: 'insert', rows: [{ name, legs }] });

/** What a person does with branches of a table of animals, over HTTP; each test has a table of its own with a branch `exp`. */
export class Animals {
  server!: TestServer;
  table = '';
  #made = 0;

  async makeTable(): Promise<void> {
    this.table = `animals${this.#made++}`;
    const handle = await makeTable(this.server.home, this.table, {
      name: { type: 'utf8', values: names, metadata: { 'curio:key': '1' } },
      legs: { type: 'int64', values: names.map(() => 4n) },
      weight: { type: 'float64', values: names.map((_name, at) => at + 0.5) },
      tags: { type: 'list<utf8>', values: names.map(() => ['animal']) },
    });
    await handle.createIndex('name', { config: Index.btree() });
    await this.branch('exp');
  }

  async ok<T = Record<string, unknown>>(route: string, body: unknown, status = 200): Promise<T> {
    const response = await this.server.post(`/api/v1/tables/${this.table}/${route}`, body);
    const answer = await response.json();
    expect([response.status, response.status === status ? null : answer]).toEqual([status, null]);
    return answer as T;
  }

  async problem(route: string, body: unknown): Promise<Record<string, unknown>> {
    const response = await this.server.post(`/api/v1/tables/${this.table}/${route}`, body);
    const answer = (await response.json()) as Record<string, unknown>;
    expect(answer).toMatchObject({ status: response.status, detail: expect.any(String) });
    return answer;
  }

  branch(name: string, from?: string): Promise<unknown> {
    return this.ok('branches', { name, from }, 201);
  }

  edit(branch: string, ...ops: unknown[]): Promise<{ version: number }> {
    return this.ok('edits', { branch, ops });
  }

  /** Rows move on main by merges only. */
  async editMain(...ops: unknown[]): Promise<void> {
    const branch = `work${this.#made++}`;
    await this.branch(branch);
    await this.edit(branch, ...ops);
    expect(await this.ok('merge', { from: branch })).toMatchObject({ status: 'merged' });
  }

  diff(body: Record<string, unknown> = {}): Promise<DiffSummary> {
    return this.ok('diff', { from: 'exp', ...body });
  }

  merge(body: Record<string, unknown> = {}): Promise<MergeResult> {
    return this.ok('merge', { from: 'exp', ...body });
  }

  /** Legs and weight by name. */
  async rows(ref: string): Promise<Record<string, [string | null, number | null]>> {
    const rows = await this.rowsWhere({ ref });
    return Object.fromEntries(
      rows.map(({ name, legs, weight }) => [name, [legs as string | null, weight as number | null]]),
    );
  }

  async rowsWhere(query: Record<string, unknown>): Promise<Record<string, unknown>[]> {
    const response = await this.server.post(`/api/v1/tables/${this.table}/rows?format=json`, query);
    return ((await response.json()) as { rows: Record<string, unknown>[] }).rows;
  }

  async changedRows(body: Record<string, unknown> = {}): Promise<{ total: number; rows: ChangedRow[] }> {
    const path = `/api/v1/tables/${this.table}/diff/rows?format=json`;
    const response = await this.server.post(path, { from: 'exp', ...body });
    expect(response.status).toBe(200);
    return (await response.json()) as { total: number; rows: ChangedRow[] };
  }

  /** Three conflicts: a cell, a row that exp removed, a row that main removed; and one that both added. */
  async plantConflicts(): Promise<void> {
    await this.edit(
      'exp',
      set('ant', { legs: 6, weight: 0.1 }),
      remove('bee'),
      set('cat', { legs: 5 }),
      insert('yak', 4),
    );
    await this.editMain(
      set('ant', { legs: 8 }),
      set('bee', { legs: 6 }),
      remove('cat'),
      insert('yak', 3),
      set('dog', { legs: 7 }),
    );
  }
}

/** A server for the file, and a table for each test. */
export function serveAnimals(): Animals {
  const animals = new Animals();
  beforeAll(async () => {
    animals.server = await makeTestServer();
  });
  beforeEach(() => animals.makeTable());
  afterAll(() => animals.server.close());
  return animals;
}
