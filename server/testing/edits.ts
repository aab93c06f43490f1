import { expect } from 'vitest';
import type { EditOp, RowCounts } from '#shared/domain/edits.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import { apply, countSteps } from '../adapters/lance/apply.ts';
import type { LanceHome } from '../adapters/lance/connect.ts';
import { planEdit } from '../adapters/lance/plan-edit.ts';
import type { MadeColumn } from './columns.ts';

const context = { signal: new AbortController().signal };

/** A row of the tables that edits are tried on. */
export interface EditedRow {
  id: number;
  label: string | null;
  n: number | null;
  tags: string[] | null;
}

export const startRows = (count: number): EditedRow[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index * 3,
    label: index % 4 === 0 ? null : `l${index % 3}`,
    n: index % 5 === 0 ? null : index,
    tags: index % 3 === 0 ? null : ['a'],
  }));

export const asColumns = (rows: EditedRow[]): Record<string, MadeColumn> => ({
  id: {
    type: 'int64',
    values: rows.map(({ id }) => BigInt(id)),
    nullable: false,
    metadata: { 'curio:key': '1' },
  },
  label: { type: 'utf8', values: rows.map(({ label }) => label) },
  n: { type: 'int32', values: rows.map(({ n }) => n) },
  tags: { type: 'list<utf8>', values: rows.map(({ tags }) => tags) },
});

export const withBlobs = (rows: EditedRow[]): Record<string, MadeColumn> => ({
  ...asColumns(rows),
  picture: {
    type: 'blob',
    values: rows.map(({ id }) => (id % 2 === 0 ? { data: Buffer.from(`picture ${id}`), uri: null } : null)),
  },
});

export async function headOf({ connection }: LanceHome, table: string, branch = 'main'): Promise<PinnedRef> {
  const handle = await connection.openTable(table, [], branch === 'main' ? {} : { branch });
  return { branch, version: await handle.version() };
}

/** Plans an edit, applies it, and checks that what was done is what was planned. */
export async function editRows(
  home: LanceHome,
  table: string,
  ops: EditOp[],
  branch = 'main',
): Promise<{ changed: RowCounts; steps: number; version: number }> {
  const head = await headOf(home, table, branch);
  const { changeset, changed } = await planEdit(home, { table, head, ops }, context);
  const { steps } = await countSteps(home, { table, head, changeset }, context);
  if (steps === 0) return { changed, steps, version: head.version };
  const applied = await apply(home, { table, head, changeset }, context);
  expect(applied).toEqual({ changed, version: head.version + steps });
  return { changed, steps, version: applied.version };
}

/** Rows as plain values, by their key. */
export async function plainRows(
  { connection }: LanceHome,
  table: string,
  columns: string[],
  key = 'id',
): Promise<Record<string, unknown>[]> {
  const handle = await connection.openTable(table);
  const rows = await handle
    .query()
    .select([...new Set([key, ...columns])])
    .toArray();
  const asNumber = (_name: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
  return rows.map((row) => JSON.parse(JSON.stringify(row, asNumber))).sort((a, b) => a[key] - b[key]);
}
