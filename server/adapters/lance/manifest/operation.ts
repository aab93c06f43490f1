import { Buffer } from 'node:buffer';
import type { LanceHome } from '../connect.ts';
import { branchFolder } from '../table-files.ts';
import { ProtoReader } from './proto-reader.ts';
import { type OperationKind, parseTransaction } from './transaction.ts';

const footerSize = 16;

/**
 * What made a version, from the bytes of its manifest: only the place of the transaction is looked for, so that the
 * fragments of a large table cost nothing. `unknown` for a manifest that is damaged or does not say.
 */
export async function readOperation(
  home: LanceHome,
  { table, branch, bytes }: { table: string; branch: string; bytes: Uint8Array },
): Promise<OperationKind> {
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { at, name } = findTransaction(
      sectionAt(file, Number(file.readBigUInt64LE(file.length - footerSize))),
    );
    const stored =
      at !== null
        ? sectionAt(file, at)
        : name !== null
          ? await home.storage.read(`${branchFolder(table, branch)}/_transactions/${name}`)
          : null;
    return stored ? parseTransaction(stored).operation : 'unknown';
  } catch (error) {
    if (error instanceof RangeError) return 'unknown';
    throw error;
  }
}

function sectionAt(file: Buffer, position: number): Buffer {
  const length = file.readUInt32LE(position);
  return file.subarray(position + 4, position + 4 + length);
}

function findTransaction(manifest: Uint8Array): { at: number | null; name: string | null } {
  const reader = new ProtoReader(manifest);
  const found: { at: number | null; name: string | null } = { at: null, name: null };
  while (reader.next()) {
    if (reader.field === 12) found.name = reader.text();
    else if (reader.field === 21) found.at = reader.number();
    else reader.skip();
  }
  return found;
}
