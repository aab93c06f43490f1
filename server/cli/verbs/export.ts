import { open, rename, rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { AppError } from '#shared/api/problem.ts';
import type { OrderBy, RowsQuery, TableDetail } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { arrow, type RecordBatch, type Schema } from '../../arrow/arrow.ts';
import { rowsAsCsv } from '../../arrow/rows-as-csv.ts';
import { streamOfTables } from '../../arrow/stream-of-tables.ts';
import { exitCode } from '../exit-codes.ts';
import { parquetBytes } from '../export/parquet-bytes.ts';
import { planRestore } from '../export/restore-bytes.ts';
import { rowsAsLines } from '../export/rows-as-lines.ts';
import { type Command, choiceOf, isSet, textOf } from '../parse-command.ts';
import { formatBytes, formatCount } from '../print.ts';
import { UsageError } from '../usage.ts';
import { wholeArrowStream, writeLine, writeOut } from '../write-out.ts';
import type { RunContext, RunVerb } from './run-context.ts';

const formats = ['parquet', 'csv', 'ndjson', 'arrow'] as const;
type ExportFormat = (typeof formats)[number];

const formatByExtension: Record<string, ExportFormat> = {
  parquet: 'parquet',
  pq: 'parquet',
  csv: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  arrow: 'arrow',
  arrows: 'arrow',
};

function formatOf(command: Command, file: string | undefined): ExportFormat {
  const chosen = choiceOf(command, 'format', formats);
  if (chosen) return chosen;
  const extension = file === undefined ? 'csv' : (basename(file).split('.').at(-1)?.toLowerCase() ?? '');
  const format = formatByExtension[extension];
  if (!format)
    throw new UsageError(
      `The format of “${file}” cannot be told from its name: say --format ${formats.join('|')}.`,
    );
  return format;
}

function orderOf(command: Command): OrderBy[] | undefined {
  const text = textOf(command, 'order-by');
  if (text === undefined) return undefined;
  const match = /^(.*?)(?:\s+(asc|desc))?$/i.exec(text.trim());
  return [{ column: match?.[1] ?? text, ...(match?.[2]?.toLowerCase() === 'desc' ? { desc: true } : {}) }];
}

/** Hidden columns, such as the key that Curio gave, travel where a later import can make use of them. */
function columnsOf(command: Command, detail: TableDetail, format: ExportFormat): string[] {
  const chosen = textOf(command, 'columns')
    ?.split(',')
    .map((column) => column.trim());
  if (chosen) return chosen;
  const takesHidden = format === 'parquet' || format === 'arrow';
  return detail.columns.filter((column) => takesHidden || !column.hidden).map(({ name }) => name);
}

async function* readBatches(
  reader: { [Symbol.asyncIterator](): AsyncIterator<RecordBatch> },
  onRows: (rows: number) => void,
): AsyncGenerator<RecordBatch> {
  for await (const batch of reader) {
    onRows(batch.numRows);
    yield batch;
  }
}

interface Rows {
  schema: Schema;
  batches: AsyncIterable<RecordBatch>;
}

function encode(format: ExportFormat, { schema, batches }: Rows): AsyncIterable<Uint8Array> {
  switch (format) {
    case 'parquet':
      return parquetBytes(schema, batches);
    case 'arrow':
      return streamOfTables(batches, schema);
    case 'csv':
      return rowsAsCsv(streamOfTables(batches, schema));
    case 'ndjson':
      return rowsAsLines(streamOfTables(batches, schema));
  }
}

async function openRows(
  context: RunContext,
  detail: TableDetail,
  format: ExportFormat,
  onRows: (rows: number) => void,
): Promise<Rows> {
  const { client, command, signal } = context;
  const where = textOf(command, 'where');
  const orderBy = orderOf(command);
  const body: RowsQuery = {
    ref: formatRef(detail.ref),
    columns: columnsOf(command, detail, format),
    ...(where ? { where } : {}),
    ...(orderBy ? { orderBy } : {}),
  };
  const response = await client.send('rowsPost', { params: { table: detail.name }, body, signal });
  const reader = await arrow.RecordBatchReader.from(wholeArrowStream(response));
  await reader.open();
  const batches = readBatches(reader, onRows);
  const isText = format === 'csv' || format === 'ndjson';
  if (isText) return withoutRowIds(reader.schema, batches);
  const restored = planRestore(reader.schema, {
    client,
    detail,
    withBytes: choiceOf(command, 'blobs', ['yes', 'no']) !== 'no',
    signal,
  });
  return { schema: restored.schema, batches: restored.batches(batches) };
}

function withoutRowIds(schema: Schema, batches: AsyncIterable<RecordBatch>): Rows {
  const kept = schema.fields.flatMap((field, at) => (field.name === '_rowid' ? [] : [at]));
  const plain = new arrow.Schema(kept.map((at) => schema.fields[at]!));
  const select = async function* (): AsyncGenerator<RecordBatch> {
    for await (const batch of batches) {
      const children = kept.map((at) => batch.data.children[at]!);
      const data = arrow.makeData({
        type: new arrow.Struct(plain.fields),
        length: batch.numRows,
        nullCount: 0,
        children: children as never,
      });
      yield new arrow.RecordBatch(plain, data as never);
    }
  };
  return { schema: plain, batches: select() };
}

const cannotWrite = (path: string, error: unknown): unknown => {
  const { code, syscall } = error as { code?: string; syscall?: string };
  if (syscall === undefined) return error;
  return new AppError({
    code: 'BAD_REQUEST',
    message: `${path} cannot be written (${code}).`,
    hint: 'Look at the folder and its rights.',
    cause: error,
  });
};

/** Writes beside the file first, so that a file under its name is whole. */
async function writeFileWhole(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const draft = `${path}.part`;
  let size = 0;
  try {
    const file = await open(draft, 'w');
    try {
      for await (const part of bytes) {
        signal.throwIfAborted();
        size += part.length;
        await file.writeFile(part);
      }
    } finally {
      await file.close();
    }
    await rename(draft, path);
    return size;
  } catch (error) {
    await rm(draft, { force: true });
    throw cannotWrite(path, error);
  }
}

async function writeAll(out: Writable, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const part of bytes) await writeOut(out, part);
}

export const runExport: RunVerb = async (context) => {
  const { client, command, folder, out, err, signal } = context;
  const [table, file, ...others] = command.positionals;
  if (!table || others.length > 0) throw new UsageError('export needs TABLE, and at most one FILE.');
  const format = formatOf(command, file);
  const detail = await client.json<TableDetail>('describeTable', {
    params: { table },
    query: { ref: textOf(command, 'ref') ?? 'main' },
    signal,
  });
  let rows = 0;
  const bytes = encode(
    format,
    await openRows(context, detail, format, (count) => {
      rows += count;
    }),
  );
  if (file === undefined) {
    await writeAll(out, bytes);
    return exitCode.ok;
  }
  const size = await writeFileWhole(resolve(folder, file), bytes, signal);
  const facts = { table, ref: formatRef(detail.ref), file, format, rows, bytes: size };
  if (isSet(command, 'json')) await writeLine(out, JSON.stringify(facts));
  else
    await writeLine(
      err,
      `${file}: ${formatCount(rows)} rows of ${table} at ${facts.ref}, ${formatBytes(size)}`,
    );
  return exitCode.ok;
};
