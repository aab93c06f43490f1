import { isAppError, notFound } from '#shared/api/problem.ts';
import { assertTableName } from '#shared/domain/names.ts';
import type { CallContext } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { readSealedHeads } from './resolve-ref.ts';
import { withTableTurn } from './table-turns.ts';

/** Moves a table to the trash, also a broken one: a mark, nothing is renamed, and its name stays taken. */
export async function trashTable(ports: Ports, table: string, context: CallContext): Promise<void> {
  try {
    await readSealedHeads(ports, table, context);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'INVALID_FILE') throw error;
  }
  ports.store.trash.add(table, ports.now().toISOString());
}

/** Tables in the trash that are still there, the last one first. */
export async function listTrash(
  ports: Ports,
  context: CallContext,
): Promise<{ name: string; deletedAt: string }[]> {
  const stored = new Set((await ports.reader.listTables({}, context)).map(({ name }) => name));
  return ports.store.trash
    .list()
    .filter(({ name }) => stored.has(name))
    .sort((a, b) => b.deletedAt.localeCompare(a.deletedAt));
}

function assertInTrash(ports: Ports, table: string): void {
  assertTableName(table);
  if (!ports.store.trash.list().some(({ name }) => name === table))
    throw notFound(`A table ${table} in the trash`, 'Tables are deleted for good only out of the trash.');
}

/** Takes a table out of the trash. NOT_FOUND when it is not there. */
export function restoreTable(ports: Ports, table: string): void {
  assertInTrash(ports, table);
  ports.store.trash.remove(table);
}

/** Deletes a table in the trash for good, and frees its name. */
export async function purgeTable(ports: Ports, table: string, context: CallContext): Promise<void> {
  assertInTrash(ports, table);
  await withTableTurn(table, context.signal, async () => {
    try {
      await ports.importer.dropTable({ table }, { signal: new AbortController().signal });
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
    ports.store.trash.remove(table);
  });
}

const isAbsent = (error: unknown): boolean => (error as { code?: unknown }).code === 'NOT_FOUND';
