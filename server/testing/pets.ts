import type { EditResult } from '#shared/api/edits.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import type { EditRecord } from '../ports/studio-store.ts';
import { type EditInput, editTable } from '../usecases/edit-table.ts';
import { restoreBranch } from '../usecases/restore-branch.ts';
import { undoEdit } from '../usecases/undo-edit.ts';
import { makeTablePorts, type TablePorts } from './table-ports.ts';
import { makeTable } from './tables.ts';

const context = { signal: new AbortController().signal };

/** A small table with a branch `exp`, and what people do to it. */
export interface Pets {
  ports: TablePorts;
  edit(
    ops: EditOp[],
    more?: Partial<Pick<EditInput, 'branch' | 'expectedVersion' | 'message'>>,
  ): Promise<EditResult>;
  undo(editId?: string): Promise<EditResult>;
  restore(ref: string): Promise<EditResult>;
  /** Rows of a branch as plain values, by their key. */
  rows(branch?: string): Promise<Record<string, unknown>[]>;
  labels(branch?: string): Promise<unknown[]>;
  /** What the edit log has of `exp`, newest first. */
  edits(): Promise<EditRecord[]>;
}

export const setLabel = (value: string | null, keys: number[] = [1]): EditOp => ({
  op: 'set',
  rows: { keys },
  values: { label: value },
});

export async function makePets(): Promise<Pets> {
  const ports = await makeTablePorts();
  await makeTable(ports.home, 'pets', {
    id: { type: 'int64', values: [1n, 2n, 3n, 4n], nullable: false, metadata: { 'curio:key': '1' } },
    label: { type: 'utf8', values: ['cat', 'dog', null, 'cat'] },
    n: { type: 'int32', values: [10, 20, 30, 40] },
    tags: { type: 'list<utf8>', values: [['a'], [], null, ['a', 'b']] },
  });
  await ports.writer.createBranch(
    { table: 'pets', name: 'exp', from: { branch: 'main', version: 1 } },
    context,
  );
  const who = { table: 'pets', branch: 'exp', author: 'ann' };
  const pets: Pets = {
    ports,
    edit: (ops, more = {}) => editTable(ports, { ...who, ops, ...more }, context),
    undo: (editId) => undoEdit(ports, { ...who, editId }, context),
    restore: (ref) => restoreBranch(ports, { ...who, ref }, context),
    async rows(branch = 'exp') {
      const handle = await ports.home.connection.openTable('pets', [], branch === 'main' ? {} : { branch });
      const asNumber = (_name: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
      const rows = (await handle.query().toArray()).map((row) => JSON.parse(JSON.stringify(row, asNumber)));
      return rows.sort((a, b) => a.id - b.id);
    },
    labels: async (branch) => (await pets.rows(branch)).map(({ label }) => label),
    async edits() {
      const { uuid, branches } = await ports.reader.readHeads({ table: 'pets' }, context);
      const branchCreatedAt = branches.find(({ name }) => name === 'exp')?.createdAt ?? '';
      return ports.store.listEdits({ tableUuid: uuid, branch: 'exp', branchCreatedAt });
    },
  };
  return pets;
}
