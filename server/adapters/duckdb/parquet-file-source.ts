import { quoteText } from '#shared/sql/literal.ts';
import type { RowSource, SourceFile } from '../../arrow/row-source.ts';
import { arrowSchemaOf } from './chunks-to-arrow.ts';
import { readFileBatches } from './file-batches.ts';
import { translateFileError } from './file-errors.ts';
import { openFileSession } from './file-session.ts';

/** Rows of a Parquet file whose types only DuckDB can read. */
export async function openDuckdbParquetSource(
  file: SourceFile & { sizeBytes: number },
  signal: AbortSignal,
): Promise<RowSource> {
  const session = await openFileSession([file.path]);
  const sql = `SELECT * FROM read_parquet(${quoteText(session.names[0]!)})`;
  try {
    const { schema, rows } = await session.guard(signal, async () => {
      const result = await session.connection.run(`${sql} LIMIT 0`);
      const count = await session.connection.runAndReadAll(`SELECT count(*) FROM (${sql})`);
      return {
        schema: arrowSchemaOf(result.columnNames(), result.columnTypes()),
        rows: Number(count.getRows()[0]?.[0]),
      };
    });
    let bytesRead = 0;
    return {
      label: file.label,
      schema,
      rowCount: rows,
      sizeBytes: file.sizeBytes,
      bytesRead: () => bytesRead,
      async *batches(batchSignal) {
        let done = 0;
        for await (const batch of readFileBatches(session, sql, file.label, schema, batchSignal)) {
          done += batch.numRows;
          bytesRead = Math.round((file.sizeBytes * done) / Math.max(1, rows));
          yield batch;
        }
      },
      close: () => session.close(),
    };
  } catch (error) {
    await session.close();
    throw translateFileError(file.label, error);
  }
}
