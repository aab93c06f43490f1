import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { StoredHome } from './connect.ts';
import { tableFolder } from './table-files.ts';

const identityFile = (table: string): string => `${tableFolder(table)}/_curio/table.json`;
const Identity = z.object({ uuid: z.string(), name: z.string() });

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/**
 * What tells a table from any other that ever had its name. Lance keeps no such thing: its versions, transactions and
 * files are all cleaned up in time. So a small file of ours lies in the table's folder: it goes when the table is
 * dropped and stays through clean-up, compaction and a move of the home. A copy of the folder under another name is
 * another table. Where nothing can be written, the folder's own identity on its disk stands in.
 */
export async function readTableUuid(home: StoredHome, table: string): Promise<string> {
  const stored = (await readIdentity(home, table)) ?? (await makeIdentity(home, table));
  if (stored) return stored.name === table ? stored.uuid : hashOf(`${stored.uuid} ${table}`);
  const folder = await home.storage.stat(tableFolder(table));
  return hashOf(`${table} ${folder?.identity ?? ''}`);
}

async function readIdentity(home: StoredHome, table: string): Promise<z.infer<typeof Identity> | null> {
  const bytes = await home.storage.read(identityFile(table));
  if (!bytes) return null;
  try {
    return Identity.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return null;
  }
}

async function makeIdentity(home: StoredHome, table: string): Promise<z.infer<typeof Identity> | null> {
  const made = { uuid: randomUUID(), name: table };
  await home.storage.writeNew(identityFile(table), Buffer.from(`${JSON.stringify(made)}\n`));
  return readIdentity(home, table);
}
