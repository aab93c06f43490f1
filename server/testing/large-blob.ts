import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LanceHome } from '../adapters/lance/connect.ts';
import { makeTable } from './tables.ts';

/** So large that Lance gives the value a file of its own, and a number that occurs nowhere by chance. */
const placeholderBytes = 5 * 2 ** 20 + 77_777;

/**
 * A table with one blob of any size, without the memory that writing it would take: a smaller one is written by Lance,
 * then `write` puts another file in the place of its bytes, and its size into the descriptor, a number of 64 bits.
 */
export async function makeLargeBlob(
  home: LanceHome,
  name: string,
  write: (path: string) => Promise<number>,
): Promise<void> {
  await makeTable(home, name, {
    id: { type: 'int64', values: [0n], metadata: { 'curio:key': '1' } },
    file: { type: 'blob', values: [{ data: Buffer.alloc(placeholderBytes, 1), uri: null }] },
  });
  const folder = join(home.path, `${name}.lance`, 'data');
  const names = await readdir(folder, { recursive: true });
  const blob = names.find((file) => file.endsWith('.blob'));
  const table = names.find((file) => file.endsWith('.lance'));
  if (!blob || !table) throw new Error('Lance laid the value elsewhere.');
  await rm(join(folder, blob));
  const sizeBytes = await write(join(folder, blob));
  const bytes = await readFile(join(folder, table));
  const mark = Buffer.alloc(8);
  mark.writeBigUInt64LE(BigInt(placeholderBytes));
  const at = bytes.indexOf(mark);
  if (at < 0 || bytes.indexOf(mark, at + 1) >= 0) throw new Error('Lance wrote the size in another way.');
  bytes.writeBigUInt64LE(BigInt(sizeBytes), at);
  await writeFile(join(folder, table), bytes);
}
