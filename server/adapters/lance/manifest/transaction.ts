import type { LanceHome } from '../connect.ts';
import { branchFolder } from '../table-files.ts';
import type { Manifest } from './manifest.ts';
import { ProtoReader, readEntry } from './proto-reader.ts';

/** Operations by their field numbers (lance `protos/transaction.proto`). */
const operations = {
  100: 'append',
  101: 'delete',
  102: 'overwrite',
  103: 'create-index',
  104: 'rewrite',
  105: 'merge',
  106: 'restore',
  107: 'reserve-fragments',
  108: 'update',
  109: 'project',
  110: 'update-config',
  111: 'data-replacement',
  112: 'update-mem-wal',
  113: 'clone',
  114: 'update-bases',
  115: 'data-overlay',
} as const;
export type OperationKind = (typeof operations)[keyof typeof operations] | 'unknown';

/** What made a version. */
export interface Transaction {
  readVersion: number;
  uuid: string;
  properties: Record<string, string>;
  operation: OperationKind;
  /** The operation's own message, encoded. */
  detail: Uint8Array;
}

export function parseTransaction(bytes: Uint8Array): Transaction {
  const transaction: Transaction = {
    readVersion: 0,
    uuid: '',
    properties: {},
    operation: 'unknown',
    detail: new Uint8Array(0),
  };
  const reader = new ProtoReader(bytes);
  while (reader.next()) {
    const { field } = reader;
    if (field === 1) transaction.readVersion = reader.number();
    else if (field === 2) transaction.uuid = reader.text();
    else if (field === 4) {
      const [key, value] = readEntry(reader.bytes());
      transaction.properties[key] = value;
    } else if (field >= 100) {
      transaction.operation = operations[field as keyof typeof operations] ?? 'unknown';
      transaction.detail = reader.bytes();
    } else reader.skip();
  }
  return transaction;
}

/** The fields that an update says it has set: in rows written anew (6), and in columns written anew (4). */
export function readUpdatedFields(detail: Uint8Array): number[] {
  const fields: number[] = [];
  const reader = new ProtoReader(detail);
  while (reader.next()) {
    if (reader.field === 4 || reader.field === 6) fields.push(...reader.signedNumbers());
    else reader.skip();
  }
  return fields;
}

/** The transaction of a version, from its manifest or from its own file; null when neither has it. */
export async function readTransaction(
  home: LanceHome,
  { table, branch, manifest }: { table: string; branch: string; manifest: Manifest },
): Promise<Transaction | null> {
  if (manifest.transaction) return parseTransaction(manifest.transaction);
  if (manifest.transactionFile === null) return null;
  const bytes = await home.storage.read(
    `${branchFolder(table, branch)}/_transactions/${manifest.transactionFile}`,
  );
  return bytes && parseTransaction(bytes);
}
