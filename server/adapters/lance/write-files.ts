import { arrow, type Data, type Field, type Table } from '../../arrow/arrow.ts';
import { concatData } from '../../arrow/concat-data.ts';
import { gather } from '../../arrow/gather.ts';
import { compareKeys, type Keys } from './write-keys.ts';

export const maxRowsPerFile = 100_000;

/** Field metadata of a column to add: the expression that gives its values. It travels with the changeset only. */
export const valueSqlKey = 'curio:valueSql';

export interface RowFilesInput {
  /** Columns that say which rows these are; null for rows that have no key. */
  keys: Keys | null;
  fields: readonly Field[];
  cells: readonly Data[];
  length: number;
  /** One file, whatever its size. */
  isWhole?: boolean;
}

/** Rows as Arrow IPC files, sorted by key, each of at most 100,000 rows. */
export function buildRowFiles({ keys, fields, cells, length, isWhole = false }: RowFilesInput): Uint8Array[] {
  if (length === 0) return [];
  const order = new Int32Array(length).map((_, row) => row);
  if (keys) order.sort(compareKeys(keys));
  const allFields = [...(keys?.fields ?? []), ...fields];
  const allCells = [...(keys?.columns ?? []), ...cells];
  const perFile = isWhole ? length : maxRowsPerFile;
  const files: Uint8Array[] = [];
  for (let start = 0; start < length; start += perFile) {
    const rows = order.subarray(start, start + perFile);
    files.push(
      arrow.tableToIPC(
        tableOf(
          allFields,
          allCells.map((data) => gather(data, rows)),
          rows.length,
        ),
        'file',
      ),
    );
  }
  return files;
}

/** A table of one batch. */
export function tableOf(fields: readonly Field[], cells: readonly Data[], length: number): Table {
  const schema = new arrow.Schema([...fields]);
  const data = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length,
    nullCount: 0,
    children: [...cells],
  });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, data as never)]);
}

/** A schema as an IPC file without rows. */
export const buildSchemaFile = (fields: readonly Field[]): Uint8Array =>
  arrow.tableToIPC(new arrow.Table(new arrow.Schema([...fields]), []), 'file');

export const readFile = (bytes: Uint8Array): Table => arrow.tableFromIPC(bytes);

/** The columns of a file's one batch, by name. */
export function columnsOfFile(file: Table): Map<string, Data> {
  const batches = file.batches;
  return new Map(
    file.schema.fields.map((field, index) => [
      field.name,
      concatData(
        field.type,
        batches.map((batch) => batch.data.children[index]!),
      ),
    ]),
  );
}

/** A file's rows in tables of at most so many. */
export function cutFile(file: Table, rowsPerPart: number): Table[] {
  if (file.numRows <= rowsPerPart) return [file];
  const columns = columnsOfFile(file);
  const parts: Table[] = [];
  for (let start = 0; start < file.numRows; start += rowsPerPart) {
    const rows = new Int32Array(Math.min(rowsPerPart, file.numRows - start)).map((_, index) => start + index);
    const cells = file.schema.fields.map(({ name }) => gather(columns.get(name)!, rows));
    parts.push(tableOf(file.schema.fields, cells, rows.length));
  }
  return parts;
}
