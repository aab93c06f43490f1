import { AppError } from '#shared/api/problem.ts';
import { arrow, type Data, type RecordBatch, type Schema } from '../../../arrow/arrow.ts';
import { concatData } from '../../../arrow/concat-data.ts';
import { gather } from '../../../arrow/gather.ts';
import type { RowSource } from '../../../arrow/row-source.ts';

/** What a metadata file says of the files of a folder. */
export interface MediaMetadata {
  schema: Schema;
  /** The row of a file, if it has one. */
  rowOf(relativePath: string): number | undefined;
  /** The columns' cells for the files given, null where the metadata has no row. */
  columnsFor(relativePaths: readonly string[]): Data[];
  notices: string[];
}

/** The column that names the file, the first of these that is there. */
const fileColumns = ['file_name', 'file', 'path', 'filename', 'image', 'file_path'];
const maxRows = 5_000_000;

const clean = (path: string): string => path.replace(/^\.\//, '').replaceAll('\\', '/');

async function readAll(source: RowSource, signal: AbortSignal): Promise<RecordBatch[]> {
  const batches: RecordBatch[] = [];
  let rows = 0;
  for await (const batch of source.batches(signal)) {
    batches.push(batch);
    rows += batch.numRows;
    if (rows > maxRows)
      throw new AppError({
        code: 'INVALID_FILE',
        message: `${source.label} has more than ${maxRows.toLocaleString('en')} rows.`,
        hint: 'Import it as a table of its own.',
      });
  }
  return batches;
}

function findFileColumn(schema: Schema, label: string): string {
  const isTextual = (name: string) =>
    schema.fields.some(
      (field) =>
        field.name === name && (arrow.DataType.isUtf8(field.type) || arrow.DataType.isLargeUtf8(field.type)),
    );
  const found = fileColumns.find(isTextual);
  if (found) return found;
  throw new AppError({
    code: 'INVALID_FILE',
    message: `${label}: no column says which file a row is about.`,
    hint: `Name that column ${fileColumns.slice(0, 3).join(' or ')}; it holds the path of the file in the folder.`,
  });
}

/** Finds rows by path, and by bare name where that is unique among the rows. */
function indexRows(names: readonly string[], label: string): (path: string) => number | undefined {
  const byPath = new Map<string, number>();
  const byName = new Map<string, number | null>();
  names.forEach((name, row) => {
    if (byPath.has(name))
      throw new AppError({
        code: 'INVALID_FILE',
        message: `${label}: the file “${name}” stands in two rows.`,
        hint: 'One row belongs to each file.',
      });
    byPath.set(name, row);
    const bare = name.split('/').at(-1)!;
    byName.set(bare, byName.has(bare) ? null : row);
  });
  return (path) => byPath.get(path) ?? byName.get(path.split('/').at(-1)!) ?? undefined;
}

/** Reads a metadata file whole and matches its rows to the files of the folder. */
export async function readMediaMetadata(
  source: RowSource,
  relativePaths: readonly string[],
  signal: AbortSignal,
): Promise<MediaMetadata> {
  const { schema, label } = source;
  const fileColumn = findFileColumn(schema, label);
  const batches = await readAll(source, signal);
  const whole = schema.fields.map((field, index) =>
    concatData(
      field.type,
      batches.map((batch) => batch.data.children[index]!),
    ),
  );
  const fileAt = schema.fields.findIndex((field) => field.name === fileColumn);
  const names = [...arrow.makeVector(whole[fileAt]!)].map((name) => clean(String(name ?? '')));
  const rowOf = indexRows(names, label);
  const matched = new Set(relativePaths.map(rowOf).filter((row) => row !== undefined));
  const notices: string[] = [];
  const missing = names.length - matched.size;
  const bare = relativePaths.filter((path) => rowOf(path) === undefined).length;
  if (missing > 0)
    notices.push(
      `${missing} of the ${names.length} rows of ${label} name files that are not there; they were left out.`,
    );
  if (bare > 0) notices.push(`${bare} of the ${relativePaths.length} files have no row in ${label}.`);
  const kept = schema.fields
    .map((field, index) => ({ field, index }))
    .filter(({ field }) => field.name !== fileColumn);
  const columns = kept.map(({ index }) => whole[index]!);
  return {
    schema: new arrow.Schema(kept.map(({ field }) => field)),
    notices,
    rowOf,
    columnsFor(paths) {
      const indices = Int32Array.from(paths, (path) => rowOf(path) ?? -1);
      return columns.map((column) => gather(column, indices));
    },
  };
}
