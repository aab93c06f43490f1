import { AppError } from '#shared/api/problem.ts';
import { arrow, type Schema } from '../../../arrow/arrow.ts';
import { FlatTable } from './flat-table.ts';

/** Numbers of the types in Arrow's `Schema.fbs`. */
export const typeTag = {
  null: 1,
  int: 2,
  floatingPoint: 3,
  binary: 4,
  utf8: 5,
  bool: 6,
  decimal: 7,
  date: 8,
  time: 9,
  timestamp: 10,
  interval: 11,
  list: 12,
  struct: 13,
  union: 14,
  fixedSizeBinary: 15,
  fixedSizeList: 16,
  map: 17,
  duration: 18,
  largeBinary: 19,
  largeUtf8: 20,
  largeList: 21,
  runEndEncoded: 22,
  binaryView: 23,
  utf8View: 24,
  listView: 25,
  largeListView: 26,
} as const;

/** How a column's buffers lie in a record batch, where arrow-js has no class for its type. */
export interface Layout {
  name: string;
  tag: number;
  /** Set for dictionary-encoded columns. */
  dictionaryId: number | null;
  /** Of the column, or of the dictionary's values. */
  children: Layout[];
}

/**
 * Types that arrow-js cannot read, and the one that holds the same values. Their tables are empty in `Schema.fbs`, so
 * that changing the tag is all it takes.
 */
const standsFor: Record<number, number> = {
  [typeTag.largeList]: typeTag.list,
  [typeTag.binaryView]: typeTag.binary,
  [typeTag.utf8View]: typeTag.utf8,
  [typeTag.listView]: typeTag.list,
  [typeTag.largeListView]: typeTag.list,
};

const messageField = { headerType: 1, header: 2 };
const schemaField = { fields: 1 };
const fieldField = { name: 0, typeType: 2, type: 3, dictionary: 4, children: 5 };
const maxDepth = 64;

const readFieldTables = (message: Uint8Array): FlatTable[] => {
  const root = FlatTable.root(message);
  if (root.uint8(messageField.headerType) !== arrow.MessageHeader.Schema)
    throw new RangeError('It has no schema.');
  return root.table(messageField.header)?.tables(schemaField.fields) ?? [];
};

const unreadable = (name: string, what: string): AppError =>
  new AppError({
    code: 'UNSUPPORTED',
    message: `The column “${name}” ${what}, which tables cannot hold.`,
    hint: 'Cast the column to plain values, then import again.',
  });

const intField = { bitWidth: 0 };

function assertReadable(field: FlatTable): void {
  const name = field.text(fieldField.name);
  const tag = field.uint8(fieldField.typeType);
  if (tag === typeTag.union) throw unreadable(name, 'is a union');
  if (tag === typeTag.runEndEncoded) throw unreadable(name, 'is run-end encoded');
  const type = field.table(fieldField.type);
  const bitsAt = tag === typeTag.int ? (type?.at(intField.bitWidth) ?? 0) : 0;
  const bits = bitsAt === 0 ? 0 : field.bytes.getInt32(bitsAt, true);
  if (bits > 64) throw unreadable(name, `has whole numbers of ${bits} bits`);
}

function readLayout(field: FlatTable, depth: number): Layout {
  if (depth > maxDepth) throw new RangeError('Its types are nested too deeply.');
  assertReadable(field);
  const dictionary = field.table(fieldField.dictionary);
  return {
    name: field.text(fieldField.name),
    tag: field.uint8(fieldField.typeType),
    dictionaryId: dictionary?.int64(0) ?? null,
    children: field.tables(fieldField.children).map((child) => readLayout(child, depth + 1)),
  };
}

function replaceTags(field: FlatTable): void {
  const at = field.at(fieldField.typeType);
  const tag = standsFor[field.uint8(fieldField.typeType)];
  if (at !== 0 && tag !== undefined) field.bytes.setUint8(at, tag);
  for (const child of field.tables(fieldField.children)) replaceTags(child);
}

/** Changes the tags of a schema message in place, so that arrow-js and Lance can hold its values. Throws UNSUPPORTED. */
export function replaceSchemaTags(message: Uint8Array): Layout[] {
  const fields = readFieldTables(message);
  const layouts = fields.map((field) => readLayout(field, 0));
  for (const field of fields) replaceTags(field);
  return layouts;
}

/** The schema of a message, with types that arrow-js knows, and how each column really lies in the batches. Throws UNSUPPORTED. */
export function readSchemaMessage(message: Uint8Array): { schema: Schema; layouts: Layout[] } {
  const bytes = Uint8Array.from(message);
  const layouts = replaceSchemaTags(bytes);
  return { schema: arrow.Message.decode(bytes).header() as unknown as Schema, layouts };
}
