import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  type DuckDBConnection,
  type DuckDBType,
  TIME,
  TIMESTAMP,
  TIMESTAMP_NS,
  TIMESTAMPTZ,
  UBIGINT,
  VARCHAR,
} from '@duckdb/node-api';
import { AppError } from '#shared/api/problem.ts';
import { quoteText } from '#shared/sql/literal.ts';
import type { RowSource, SourceFile } from '../../arrow/row-source.ts';
import { arrowSchemaOf } from './chunks-to-arrow.ts';
import { guessDelimiter, parseFirstRecord, readTextHead, type TextEncoding } from './csv-head.ts';
import {
  buildFitQuery,
  type FitResult,
  hasHeaderLine,
  parseFitRows,
  type TextColumnType,
  textColumnTypes,
  uniteTypes,
} from './csv-types.ts';
import { readFileBatches } from './file-batches.ts';
import { translateFileError } from './file-errors.ts';
import { type FileSession, openFileSession } from './file-session.ts';

export interface CsvOptions {
  delimiter?: string;
  hasHeader?: boolean;
  encoding?: TextEncoding;
  /** Texts that stand for null, besides nothing at all. */
  nulls?: string[];
  maxColumns: number;
}

interface CsvFile {
  file: SourceFile;
  sizeBytes: number;
  /** All but `columns` and `header` of the reader's arguments. */
  dialect: string;
  hasHeader: boolean;
  names: string[];
  fit: FitResult;
}

const sampleRows = 2_000;
const columnsPerQuery = 250;
const maxLineBytes = 32 * 1024 * 1024;

const internalName = (index: number): string => `c${index}`;

function relationOf(
  csv: Pick<CsvFile, 'dialect' | 'hasHeader' | 'names'>,
  types?: readonly TextColumnType[],
): string {
  const columns = csv.names.map((_, index) => `'${internalName(index)}': '${types?.[index] ?? 'VARCHAR'}'`);
  return `read_csv(${csv.dialect}, header = ${csv.hasHeader}, columns = {${columns.join(', ')}})`;
}

const duckdbTypes: Record<TextColumnType, DuckDBType> = {
  BOOLEAN,
  BIGINT,
  UBIGINT,
  DOUBLE,
  DATE,
  TIMESTAMP,
  TIMESTAMP_NS,
  TIMESTAMPTZ,
  TIME,
  VARCHAR,
};

/** Checks groups of columns one after the other, so that wide files do not make one enormous statement. */
async function checkFit(
  connection: DuckDBConnection,
  candidates: readonly TextColumnType[][],
  relation: string,
): Promise<FitResult> {
  const result: FitResult = { rows: 0, fitting: [], hasValues: [] };
  for (let from = 0; from < candidates.length; from += columnsPerQuery) {
    const group = candidates.slice(from, from + columnsPerQuery);
    const names = group.map((_, index) => internalName(from + index));
    const reader = await connection.runAndReadAll(buildFitQuery(names, group, relation));
    const part = parseFitRows(reader.getRows(), group);
    result.rows = part.rows;
    result.fitting.push(...part.fitting);
    result.hasValues.push(...part.hasValues);
  }
  return result;
}

async function inspectFile(
  session: FileSession,
  name: string,
  file: SourceFile,
  options: CsvOptions,
): Promise<Omit<CsvFile, 'sizeBytes'>> {
  const head = await readTextHead(file, options.encoding);
  const delimiter = options.delimiter ?? guessDelimiter(head.text);
  const first = parseFirstRecord(head.text, delimiter);
  if (!first || first.every((value) => value.trim() === '' && first.length === 1))
    throw new AppError({
      code: 'INVALID_FILE',
      message: `${file.label}: the file is empty.`,
      hint: 'Choose a file with at least a line of column names.',
    });
  if (first.length > options.maxColumns)
    throw new AppError({
      code: 'INVALID_FILE',
      message: `${file.label}, line 1: the file has ${first.length.toLocaleString('en')} columns; a table has at most ${options.maxColumns.toLocaleString('en')}.`,
      hint: 'Put values of the same kind into one list or vector column.',
    });
  const dialect = [
    quoteText(name),
    'auto_detect = false',
    `delim = ${quoteText(delimiter)}`,
    `quote = '"'`,
    `escape = '"'`,
    `comment = ''`,
    'skip = 0',
    'strict_mode = true',
    'null_padding = false',
    'allow_quoted_nulls = false',
    `nullstr = [${['', ...(options.nulls ?? [])].map(quoteText).join(', ')}]`,
    `max_line_size = ${maxLineBytes}`,
    `encoding = '${head.encoding}'`,
    `compression = '${head.compression}'`,
  ].join(', ');
  const draft = { dialect, hasHeader: true, names: first };
  const all = first.map(() => [...textColumnTypes]);
  const sample = await checkFit(
    session.connection,
    all,
    `(SELECT * FROM ${relationOf(draft)} LIMIT ${sampleRows})`,
  );
  const fittingValues = sample.fitting.map((types, index) => (sample.hasValues[index] ? types : []));
  const hasHeader = options.hasHeader ?? hasHeaderLine(first, fittingValues, sample.rows > 0);
  const names = hasHeader ? first.map((value) => value.trim()) : first.map((_, index) => `column${index}`);
  const csv = { dialect, hasHeader, names };
  const candidates = hasHeader || sample.rows > 0 ? sample.fitting : all;
  const fit = await checkFit(session.connection, candidates, relationOf(csv));
  return { file, ...csv, fit };
}

/** Where the columns of the first file stand in another one. */
function matchColumns(first: CsvFile, other: CsvFile): number[] {
  const isSame =
    first.names.length === other.names.length &&
    first.names.every((name, index) => other.names[index] === name);
  if (isSame) return first.names.map((_, index) => index);
  const missing = first.names.find((name) => !other.names.includes(name));
  const extra = other.names.find((name) => !first.names.includes(name));
  if (missing === undefined && extra === undefined && first.names.length === other.names.length)
    return first.names.map((name) => other.names.indexOf(name));
  const what =
    missing !== undefined
      ? `“${missing}” is missing`
      : extra !== undefined
        ? `“${extra}” is new`
        : 'a name stands twice';
  throw new AppError({
    code: 'INVALID_FILE',
    message: `${other.file.label} has other columns than ${first.file.label}: ${what}.`,
    hint: 'Files that become one table have the same columns.',
  });
}

/**
 * Rows of CSV or TSV files with the same columns. Every value of every file is looked at before a type is chosen, so
 * that none is changed by its type. Throws INVALID_FILE with the file and the line.
 */
export async function openCsvSource(
  files: readonly (SourceFile & { sizeBytes: number })[],
  options: CsvOptions,
  signal: AbortSignal,
): Promise<RowSource> {
  const session = await openFileSession(files.map((file) => file.path));
  try {
    const inspected: CsvFile[] = [];
    for (const [index, file] of files.entries()) {
      const inspect = async () => {
        try {
          return await inspectFile(session, session.names[index]!, file, options);
        } catch (error) {
          throw translateFileError(file.label, error);
        }
      };
      inspected.push({ ...(await session.guard(signal, inspect)), sizeBytes: file.sizeBytes });
    }
    return makeSource(session, inspected);
  } catch (error) {
    await session.close();
    throw error;
  }
}

function makeSource(session: FileSession, inspected: CsvFile[]): RowSource {
  const first = inspected[0]!;
  const positions = inspected.map((csv) => matchColumns(first, csv));
  const types = first.names.map((_, column) =>
    uniteTypes(
      inspected.map((csv, index) => {
        const at = positions[index]![column]!;
        return csv.fit.hasValues[at] ? csv.fit.fitting[at]! : null;
      }),
    ),
  );
  const schema = arrowSchemaOf(
    first.names,
    types.map((type) => duckdbTypes[type]),
  );
  let bytesRead = 0;
  return {
    label: first.file.label,
    schema,
    rowCount: inspected.reduce((sum, csv) => sum + csv.fit.rows, 0),
    sizeBytes: inspected.reduce((sum, csv) => sum + csv.sizeBytes, 0),
    bytesRead: () => bytesRead,
    async *batches(signal) {
      let before = 0;
      for (const [index, csv] of inspected.entries()) {
        const place = positions[index]!;
        const fileTypes = csv.names.map((_, at) => types[place.indexOf(at)]!);
        const selected = place.map(internalName).join(', ');
        const sql = `SELECT ${selected} FROM ${relationOf(csv, fileTypes)}`;
        let rows = 0;
        for await (const batch of readFileBatches(session, sql, csv.file.label, schema, signal)) {
          rows += batch.numRows;
          bytesRead = before + Math.round((csv.sizeBytes * rows) / Math.max(1, csv.fit.rows));
          yield batch;
        }
        before += csv.sizeBytes;
      }
    },
    close: () => session.close(),
  };
}
