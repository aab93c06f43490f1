import { AppError } from '#shared/api/problem.ts';
import { fieldFacts } from '#shared/api/wire.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import { quoteText } from '#shared/sql/literal.ts';
import { arrow, type Schema } from '../../arrow/arrow.ts';
import type { RowSource, SourceFile } from '../../arrow/row-source.ts';
import { arrowSchemaOf } from './chunks-to-arrow.ts';
import { type Compression, readTextHead } from './csv-head.ts';
import { readFileBatches } from './file-batches.ts';
import { translateFileError } from './file-errors.ts';
import { type FileSession, openFileSession } from './file-session.ts';

const maxObjectBytes = 64 * 1024 * 1024;

const notRows = (label: string, what: string): AppError =>
  new AppError({
    code: 'INVALID_FILE',
    message: `${label}: the file holds ${what}, not rows.`,
    hint: 'A JSON file of rows is an array of objects, or one object per line.',
  });

type Layout = 'array' | 'newline_delimited' | 'unstructured';

/** Refuses what DuckDB would take for a column named `json`. */
async function inspectHead(
  file: SourceFile,
  isLines: boolean,
): Promise<{ compression: Compression; layout: Layout }> {
  const { text, compression } = await readTextHead(file);
  const start = text.trimStart();
  if (start === '')
    throw new AppError({
      code: 'INVALID_FILE',
      message: `${file.label}: the file is empty.`,
      hint: 'Choose a file with rows.',
    });
  if (start.startsWith('{')) return { compression, layout: isLines ? 'newline_delimited' : 'unstructured' };
  if (!start.startsWith('[')) throw notRows(file.label, 'a single value');
  const first = start.slice(1).trimStart();
  if (first.startsWith(']')) throw notRows(file.label, 'an empty array');
  if (first !== '' && !first.startsWith('{')) throw notRows(file.label, 'an array of plain values');
  return { compression, layout: 'array' };
}

interface JsonColumn {
  name: string;
  /** As DuckDB writes it. */
  type: string;
  /** What stands in the statement that reads the rows. */
  select: string;
  /** Has values that only JSON can hold. */
  isJson: boolean;
}

const zoned = "'.*(Z|z|[+-]\\d{2}(:?\\d{2})?)'";
const maxUint64 = '18446744073709551615';

interface Guess {
  name: string;
  type: string;
}

/** What is looked at in every value before a column's type is settled; `true` asks for the refinement. */
function checkOf({ name, type }: Guess): string {
  const column = quoteIdent(name);
  if (type === 'TIMESTAMP') return `bool_and(regexp_full_match(CAST(${column} AS VARCHAR), ${zoned}))`;
  if (type === 'HUGEINT') return `bool_and(${column} BETWEEN 0 AND ${maxUint64})`;
  return type === 'JSON' ? `count(${column}) > 0` : 'NULL';
}

/**
 * DuckDB's guess, but for what it would lose: instants with a zone become instants of UTC that say so, and whole
 * numbers up to 2^64 become unsigned ones.
 */
function refine({ name, type }: Guess, check: unknown): JsonColumn {
  const column = quoteIdent(name);
  const cast = (to: string): string => `CAST(${column} AS ${to}) AS ${column}`;
  const plain: JsonColumn = { name, type, select: column, isJson: false };
  if (type === 'TIMESTAMP') return { ...plain, select: cast(check === true ? 'TIMESTAMPTZ' : 'TIMESTAMP') };
  if (type === 'HUGEINT' && check === true) return { ...plain, select: cast('UBIGINT') };
  if (type === 'JSON') return { ...plain, select: cast('VARCHAR'), isJson: check === true };
  return plain;
}

/** DuckDB renames the second of two names that differ in case only; then its own guess must read the file. */
const hasRenamed = (guessed: readonly Guess[]): boolean => {
  const names = new Set(guessed.map(({ name }) => name.toLowerCase()));
  return guessed.some(({ name }) => /_\d+$/.test(name) && names.has(name.toLowerCase().replace(/_\d+$/, '')));
};

/** More than 200 names of one type are the keys of a map to DuckDB, and none is what it has for objects without names. */
const isOneMap = (guessed: readonly Guess[]): boolean =>
  guessed.length === 1 && guessed[0]!.name === 'json' && guessed[0]!.type.startsWith('MAP');

const namesAreColumns = ', map_inference_threshold = -1';

const columnsArgument = (guessed: readonly Guess[]): string => {
  const columns = guessed.map(
    ({ name, type }) => `${quoteIdent(name)}: ${quoteText(type === 'TIMESTAMP' ? 'VARCHAR' : type)}`,
  );
  return `, columns = {${columns.join(', ')}}`;
};

interface JsonFiles {
  session: FileSession;
  /** The call of the reader with more arguments; without columns it guesses them. */
  reader: (more: string) => string;
  label: string;
  maxColumns: number;
}

async function inspectColumns({
  session,
  reader,
  label,
  maxColumns,
}: JsonFiles): Promise<{ relation: string; columns: JsonColumn[]; rows: number }> {
  const { connection } = session;
  const guess = async (options: string): Promise<Guess[]> => {
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${reader(options)}`);
    return described.getRows().map((row) => ({ name: String(row[0]), type: String(row[1]) }));
  };
  let options = '';
  let guessed = await guess(options);
  if (isOneMap(guessed)) {
    options = namesAreColumns;
    guessed = await guess(options);
    if (guessed.length === 1) guessed = [];
  }
  if (guessed.length === 0) throw notRows(label, 'objects without any name');
  if (guessed.length > maxColumns)
    throw new AppError({
      code: 'INVALID_FILE',
      message: `${label}: the objects have ${guessed.length.toLocaleString('en')} names; a table has at most ${maxColumns.toLocaleString('en')} columns.`,
      hint: 'Put values of the same kind into one list or one object.',
    });
  const relation = hasRenamed(guessed) ? reader(options) : reader(columnsArgument(guessed));
  const checks = guessed.map(checkOf);
  const row =
    (await connection.runAndReadAll(`SELECT count(*), ${checks.join(', ')} FROM ${relation}`)).getRows()[0] ??
    [];
  return {
    relation,
    columns: guessed.map((column, index) => refine(column, row[index + 1])),
    rows: Number(row[0]),
  };
}

async function readSchema(
  session: FileSession,
  sql: string,
  columns: readonly JsonColumn[],
): Promise<Schema> {
  const result = await session.connection.run(`${sql} LIMIT 0`);
  const schema = arrowSchemaOf(
    columns.map(({ name }) => name),
    result.columnTypes(),
  );
  const fields = schema.fields.map((field, index) =>
    columns[index]?.isJson
      ? new arrow.Field(field.name, field.type, true, new Map([[fieldFacts.role, 'json']]))
      : field,
  );
  return new arrow.Schema(fields);
}

/** Rows of JSON files: arrays of objects, or one object per line. Names that a file lacks are null in its rows. */
export async function openJsonSource(
  files: readonly (SourceFile & { sizeBytes: number })[],
  options: { isLines: boolean; maxColumns: number },
  signal: AbortSignal,
): Promise<RowSource> {
  const heads = await Promise.all(files.map((file) => inspectHead(file, options.isLines)));
  const session = await openFileSession(files.map((file) => file.path));
  const labelOf = (error: unknown): string => {
    const text = error instanceof Error ? error.message : '';
    return files[session.names.findIndex((name) => text.includes(name))]?.label ?? files[0]!.label;
  };
  const layouts = new Set(heads.map((head) => head.layout));
  const layout: Layout = layouts.size === 1 ? heads[0]!.layout : 'unstructured';
  const compression = heads[0]!.compression === 'none' ? 'uncompressed' : heads[0]!.compression;
  const reader = (more: string): string =>
    `read_json([${session.names.map(quoteText).join(', ')}], format = '${layout}', compression = '${compression}', ` +
    `sample_size = -1, maximum_object_size = ${maxObjectBytes}, union_by_name = true${more})`;
  try {
    const { relation, columns, rows } = await session.guard(signal, () =>
      inspectColumns({ session, reader, label: files[0]!.label, maxColumns: options.maxColumns }),
    );
    if (layout === 'unstructured' && rows === files.length) throw notRows(files[0]!.label, 'one object');
    const sql = `SELECT ${columns.map(({ select }) => select).join(', ')} FROM ${relation}`;
    const schema = await readSchema(session, sql, columns);
    const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    let bytesRead = 0;
    return {
      label: files[0]!.label,
      schema,
      rowCount: rows,
      sizeBytes,
      bytesRead: () => bytesRead,
      async *batches(batchSignal) {
        let done = 0;
        for await (const batch of readFileBatches(session, sql, files[0]!.label, schema, batchSignal)) {
          done += batch.numRows;
          bytesRead = Math.round((sizeBytes * done) / Math.max(1, rows));
          yield batch;
        }
      },
      close: () => session.close(),
    };
  } catch (error) {
    await session.close();
    throw translateFileError(labelOf(error), error);
  }
}
