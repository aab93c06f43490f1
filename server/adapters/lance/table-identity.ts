import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { StoredHome } from './connect.ts';
import { tableFolder } from './table-files.ts';

const identityFile = (table: string): string => `${tableFolder(table)}/_curio/table.json`;
const Identity = z.object({ uuid: z.string(), name: z.string() });
type Identity = z.infer<typeof Identity>;

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

interface KeptIdentity extends Identity {
  file: string;
}

/** Every request asks, and the file is written once: it is read again when another one lies in its place. */
const kept = new WeakMap<StoredHome, Map<string, KeptIdentity>>();
const maxKept = 10_000;

async function readIdentity(home: StoredHome, table: string): Promise<Identity | null> {
  const path = identityFile(table);
  const stored = await home.storage.stat(path);
  if (!stored) return null;
  const file = `${stored.identity} ${stored.modifiedAt.getTime()} ${stored.sizeBytes}`;
  const ofHome = kept.get(home) ?? new Map<string, KeptIdentity>();
  kept.set(home, ofHome);
  const known = ofHome.get(table);
  if (known?.file === file) return known;
  const bytes = await home.storage.read(path);
  if (!bytes) return null;
  try {
    const identity = Identity.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    if (ofHome.size >= maxKept) ofHome.clear();
    ofHome.set(table, { ...identity, file });
    return identity;
  } catch {
    return null;
  }
}

async function makeIdentity(home: StoredHome, table: string): Promise<Identity | null> {
  const made = { uuid: randomUUID(), name: table };
  await home.storage.writeNew(identityFile(table), Buffer.from(`${JSON.stringify(made)}\n`));
  return readIdentity(home, table);
}
