import { type FileHandle, open } from 'node:fs/promises';
import { AppError, isAppError } from '#shared/api/problem.ts';
import { arrow, type DataType, type Field, type RecordBatch, type Schema } from '../../../arrow/arrow.ts';
import type { RowSource, SourceFile } from '../../../arrow/row-source.ts';
import { FlatTable } from './flat-table.ts';
import { readBatchMessage } from './ipc-buffers.ts';
import { ColumnReader, type Dictionaries } from './ipc-columns.ts';
import { type Layout, readSchemaMessage } from './ipc-layout.ts';
import {
  BrokenIpcError,
  isIpcFile,
  listFileMessages,
  listStreamMessages,
  type MessagePlace,
  readExactly,
} from './ipc-messages.ts';

interface EncodedColumn {
  type: DataType;
  layout: Layout;
}

/** Which columns a dictionary belongs to: dictionaries may stand anywhere in a type. */
function findEncoded(
  fields: readonly Field[],
  layouts: readonly Layout[],
  found: Map<number, EncodedColumn>,
): void {
  layouts.forEach((layout, index) => {
    const { type } = fields[index]!;
    const values: DataType = arrow.DataType.isDictionary(type) ? type.dictionary : type;
    if (layout.dictionaryId !== null)
      found.set(layout.dictionaryId, { type: values, layout: { ...layout, dictionaryId: null } });
    findEncoded(values.children ?? [], layout.children, found);
  });
}

const invalid = (label: string, why: string, hint: string, cause: unknown): AppError =>
  new AppError({ code: 'INVALID_FILE', message: `${label}: ${why}.`, hint, cause });

function translate(label: string, error: unknown): unknown {
  if (isAppError(error)) return error;
  if (error instanceof BrokenIpcError) return invalid(label, error.message, error.hint, error);
  const isOutside = error instanceof Error && ('syscall' in error || error.name === 'AbortError');
  if (isOutside) return error;
  return invalid(label, 'an Arrow message is damaged', 'Write the file again.', error);
}

const schemaField = { endianness: 0 };
const messageField = { header: 2 };
const bigEndian = 1;

/** Rows of an Arrow IPC file or stream, one batch at a time; LZ4 and Zstandard are unpacked, views made plain. */
export async function openArrowSource({ path, label }: SourceFile, signal: AbortSignal): Promise<RowSource> {
  const facts = await withFile(path, label, (file) => readHead(file, signal));
  const { places, schema, sizeBytes } = facts;
  let bytesRead = 0;
  return {
    label,
    schema,
    rowCount: places.reduce((sum, place) => sum + place.rows, 0),
    sizeBytes,
    bytesRead: () => bytesRead,
    async *batches(batchSignal) {
      const state: ReadState = { ...facts, dictionaries: new Map() };
      const file = await open(path);
      try {
        for (const place of places) {
          batchSignal.throwIfAborted();
          bytesRead = place.headerStart + place.headerSize + place.bodySize;
          const batch = await readBatch(file, place, state);
          if (batch) yield batch;
        }
      } catch (error) {
        throw translate(label, error);
      } finally {
        await file.close();
      }
    },
    close: async () => undefined,
  };
}

async function withFile<T>(path: string, label: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await work(file);
  } catch (error) {
    throw translate(label, error);
  } finally {
    await file.close();
  }
}

interface FileFacts {
  places: MessagePlace[];
  schema: Schema;
  layouts: Layout[];
  encoded: Map<number, EncodedColumn>;
  sizeBytes: number;
}

async function readHead(file: FileHandle, signal: AbortSignal): Promise<FileFacts> {
  const { size } = await file.stat();
  const list = (await isIpcFile(file, size)) ? listFileMessages : listStreamMessages;
  const { places, schemaMessage } = await list(file, size, signal);
  const header = FlatTable.root(schemaMessage).table(messageField.header);
  if (header?.uint8(schemaField.endianness) === bigEndian)
    throw new BrokenIpcError('it is big-endian', 'Write it on a little-endian machine.');
  const { schema, layouts } = readSchemaMessage(schemaMessage);
  const encoded = new Map<number, EncodedColumn>();
  findEncoded(schema.fields, layouts, encoded);
  return { places, schema, layouts, encoded, sizeBytes: size };
}

interface ReadState extends FileFacts {
  dictionaries: Dictionaries;
}

/** The batch at a place, or null where the message only feeds the dictionaries. */
async function readBatch(
  file: FileHandle,
  place: MessagePlace,
  state: ReadState,
): Promise<RecordBatch | null> {
  if (place.kind !== 'batch' && place.kind !== 'dictionary') return null;
  const whole = await readExactly(file, place.headerStart, place.headerSize + place.bodySize, 'a batch');
  const header = whole.subarray(0, place.headerSize);
  const body = whole.subarray(place.headerSize);
  const { parts, dictionaryId, isDelta } = readBatchMessage(header, body, place.kind === 'dictionary');
  const reader = new ColumnReader(parts, state.dictionaries);
  if (place.kind === 'dictionary') {
    const column = state.encoded.get(dictionaryId);
    if (!column) return null;
    const values = arrow.makeVector(reader.read(column.type, column.layout));
    const before = isDelta ? state.dictionaries.get(dictionaryId) : undefined;
    state.dictionaries.set(dictionaryId, before ? before.concat(values) : values);
    return null;
  }
  const children = state.schema.fields.map((field, index) => reader.read(field.type, state.layouts[index]!));
  const type = new arrow.Struct(state.schema.fields);
  const data = arrow.makeData({ type, length: parts.length, nullCount: 0, children });
  return new arrow.RecordBatch(state.schema, data as never);
}
