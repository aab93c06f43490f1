import { Buffer } from 'node:buffer';
import { AppError } from '#shared/api/problem.ts';
import { ProtoReader, readEntry } from './proto-reader.ts';

/** A column or a part of one (structs and lists have children). */
export interface ManifestField {
  id: number;
  /** -1 for top-level columns. */
  parentId: number;
  name: string;
  logicalType: string;
  nullable: boolean;
  metadata: Record<string, string>;
}

export interface DataFile {
  path: string;
  /** Ids of the fields in it; -2 where a newer file of the fragment holds the field. */
  fields: number[];
  sizeBytes: number;
  /** Another table folder that holds the file; `null` for this one. */
  baseId: number | null;
}

export interface DeletionFile {
  kind: 'arrow' | 'bitmap';
  readVersion: bigint;
  id: bigint;
  deletedRows: number;
  baseId: number | null;
}

/** A horizontal slice of the table; its files have the same rows in the same order. */
export interface Fragment {
  id: number;
  files: DataFile[];
  deletion: DeletionFile | null;
  /** Deleted ones included. */
  physicalRows: number;
  /** Encoded sequences, one entry per physical row (`row-ids.ts`); `null` where there is none in the manifest. */
  rowIds: Uint8Array | null;
  createdAt: Uint8Array | null;
  lastUpdated: Uint8Array | null;
  /** Files that replace cells of the others: nothing about this fragment can be told from its data files alone. */
  hasOverlays: boolean;
}

export interface Manifest {
  version: number;
  committedAt: Date;
  /** Empty for main. */
  branch: string;
  fields: ManifestField[];
  schemaMetadata: Record<string, string>;
  fragments: Fragment[];
  basePaths: { id: number; path: string; isTableRoot: boolean }[];
  /** Rows get ids from here on; 0 where ids are not stable. */
  nextRowId: number;
  hasStableRowIds: boolean;
  /** Folders of the index files that it refers to. */
  indexUuids: string[];
  /** Major version of the Lance that wrote it; 0 where it does not say. */
  writerMajor: number;
  transactionFile: string | null;
  /** The transaction that made this version, encoded (`transaction.ts`), where the manifest carries it. */
  transaction: Uint8Array | null;
}

const footerSize = 16;
const stableRowIdsFlag = 2;

/**
 * Reads a manifest file of the Lance format: a protobuf `Manifest` (lance `protos/table.proto`) that the footer
 * `[u64 position][u16 major][u16 minor]"LANC"` points at. INVALID_FILE when it is damaged.
 */
export function parseManifest(bytes: Uint8Array): Manifest {
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (file.toString('latin1', file.length - 4) !== 'LANC') throw new RangeError('There is no footer.');
    const manifest = readManifestMessage(
      sectionAt(file, Number(file.readBigUInt64LE(file.length - footerSize))),
    );
    const { transactionAt, indexesAt, ...rest } = manifest;
    return {
      ...rest,
      transaction: transactionAt === null ? null : sectionAt(file, transactionAt),
      indexUuids: indexesAt === null ? [] : readIndexUuids(sectionAt(file, indexesAt)),
    };
  } catch (error) {
    throw new AppError({
      code: 'INVALID_FILE',
      message: 'A manifest of the table is damaged or cut off.',
      hint: 'Open an older version, or restore the table’s files from a backup.',
      cause: error,
    });
  }
}

/** A length-prefixed message inside the file. */
function sectionAt(file: Buffer, position: number): Buffer {
  const length = file.readUInt32LE(position);
  if (position + 4 + length > file.length) throw new RangeError('A section is cut off.');
  return file.subarray(position + 4, position + 4 + length);
}

interface Sections {
  transactionAt: number | null;
  indexesAt: number | null;
}

function readManifestMessage(bytes: Uint8Array): Omit<Manifest, 'transaction' | 'indexUuids'> & Sections {
  const manifest = {
    version: 0,
    committedAt: new Date(0),
    branch: '',
    fields: [] as ManifestField[],
    schemaMetadata: {} as Record<string, string>,
    fragments: [] as Fragment[],
    basePaths: [] as Manifest['basePaths'],
    nextRowId: 0,
    hasStableRowIds: false,
    writerMajor: 0,
    transactionFile: null as string | null,
    transactionAt: null as number | null,
    indexesAt: null as number | null,
  };
  const reader = new ProtoReader(bytes);
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        manifest.fields.push(readField(reader.bytes()));
        break;
      case 2:
        manifest.fragments.push(readFragment(reader.bytes()));
        break;
      case 3:
        manifest.version = reader.number();
        break;
      case 5: {
        const [key, value] = readEntry(reader.bytes());
        manifest.schemaMetadata[key] = value;
        break;
      }
      case 6:
        manifest.indexesAt = reader.number();
        break;
      case 7:
        manifest.committedAt = readTimestamp(reader.bytes());
        break;
      case 9:
        manifest.hasStableRowIds = (reader.number() & stableRowIdsFlag) !== 0;
        break;
      case 12:
        manifest.transactionFile = reader.text();
        break;
      case 13:
        manifest.writerMajor = readWriterMajor(reader.bytes());
        break;
      case 14:
        manifest.nextRowId = reader.number();
        break;
      case 18:
        manifest.basePaths.push(readBasePath(reader.bytes()));
        break;
      case 20:
        manifest.branch = reader.text();
        break;
      case 21:
        manifest.transactionAt = reader.number();
        break;
      default:
        reader.skip();
    }
  }
  return manifest;
}

/** From an `IndexSection`: its indices, and of each the uuid. */
function readIndexUuids(bytes: Uint8Array): string[] {
  const uuids: string[] = [];
  const section = new ProtoReader(bytes);
  while (section.next()) {
    if (section.field !== 1) {
      section.skip();
      continue;
    }
    const index = new ProtoReader(section.bytes());
    while (index.next()) {
      if (index.field === 1) uuids.push(readUuid(index.bytes()));
      else index.skip();
    }
  }
  return uuids;
}

function readUuid(bytes: Uint8Array): string {
  const reader = new ProtoReader(bytes);
  let hex = '';
  while (reader.next()) {
    if (reader.field === 1) hex = reader.bytes().toString('hex');
    else reader.skip();
  }
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function readWriterMajor(bytes: Uint8Array): number {
  const reader = new ProtoReader(bytes);
  let [library, version] = ['', ''];
  while (reader.next()) {
    if (reader.field === 1) library = reader.text();
    else if (reader.field === 2) version = reader.text();
    else reader.skip();
  }
  return library === 'lance' ? Number.parseInt(version, 10) || 0 : 0;
}

function readTimestamp(bytes: Uint8Array): Date {
  const reader = new ProtoReader(bytes);
  let [seconds, nanos] = [0, 0];
  while (reader.next()) {
    if (reader.field === 1) seconds = reader.signed();
    else if (reader.field === 2) nanos = reader.number();
    else reader.skip();
  }
  return new Date(seconds * 1000 + Math.floor(nanos / 1_000_000));
}

function readBasePath(bytes: Uint8Array): Manifest['basePaths'][number] {
  const reader = new ProtoReader(bytes);
  const base = { id: 0, path: '', isTableRoot: false };
  while (reader.next()) {
    if (reader.field === 1) base.id = reader.number();
    else if (reader.field === 3) base.isTableRoot = reader.number() !== 0;
    else if (reader.field === 4) base.path = reader.text();
    else reader.skip();
  }
  return base;
}

/** Also reads the fields of a transaction. */
export function readField(bytes: Uint8Array): ManifestField {
  const reader = new ProtoReader(bytes);
  const field: ManifestField = {
    id: 0,
    parentId: 0,
    name: '',
    logicalType: '',
    nullable: false,
    metadata: {},
  };
  while (reader.next()) {
    switch (reader.field) {
      case 2:
        field.name = reader.text();
        break;
      case 3:
        field.id = reader.signed();
        break;
      case 4:
        field.parentId = reader.signed();
        break;
      case 5:
        field.logicalType = reader.text();
        break;
      case 6:
        field.nullable = reader.number() !== 0;
        break;
      case 10: {
        const [key, value] = readEntry(reader.bytes());
        field.metadata[key] = value;
        break;
      }
      default:
        reader.skip();
    }
  }
  return field;
}

/** Also reads the fragments of a transaction. */
export function readFragment(bytes: Uint8Array): Fragment {
  const reader = new ProtoReader(bytes);
  const fragment: Fragment = {
    id: 0,
    files: [],
    deletion: null,
    physicalRows: 0,
    rowIds: null,
    createdAt: null,
    lastUpdated: null,
    hasOverlays: false,
  };
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        fragment.id = reader.number();
        break;
      case 2:
        fragment.files.push(readDataFile(reader.bytes()));
        break;
      case 3:
        fragment.deletion = readDeletionFile(reader.bytes());
        break;
      case 4:
        fragment.physicalRows = reader.number();
        break;
      case 5:
        fragment.rowIds = reader.bytes();
        break;
      case 7:
        fragment.lastUpdated = reader.bytes();
        break;
      case 9:
        fragment.createdAt = reader.bytes();
        break;
      case 11:
        fragment.hasOverlays = true;
        reader.skip();
        break;
      default:
        reader.skip();
    }
  }
  return fragment;
}

function readDataFile(bytes: Uint8Array): DataFile {
  const reader = new ProtoReader(bytes);
  const file: DataFile = { path: '', fields: [], sizeBytes: 0, baseId: null };
  while (reader.next()) {
    if (reader.field === 1) file.path = reader.text();
    else if (reader.field === 2) file.fields.push(...reader.signedNumbers());
    else if (reader.field === 6) file.sizeBytes = reader.number();
    else if (reader.field === 7) file.baseId = reader.number();
    else reader.skip();
  }
  return file;
}

function readDeletionFile(bytes: Uint8Array): DeletionFile {
  const reader = new ProtoReader(bytes);
  const file: DeletionFile = { kind: 'arrow', readVersion: 0n, id: 0n, deletedRows: 0, baseId: null };
  while (reader.next()) {
    if (reader.field === 1) file.kind = reader.number() === 1 ? 'bitmap' : 'arrow';
    else if (reader.field === 2) file.readVersion = reader.bigint();
    else if (reader.field === 3) file.id = reader.bigint();
    else if (reader.field === 4) file.deletedRows = reader.number();
    else if (reader.field === 7) file.baseId = reader.number();
    else reader.skip();
  }
  return file;
}
