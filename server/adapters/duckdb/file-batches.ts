import { abortedError } from '#shared/api/problem.ts';
import { arrow, type RecordBatch, type Schema } from '../../arrow/arrow.ts';
import { readResultAsArrow } from './chunks-to-arrow.ts';
import { translateFileError } from './file-errors.ts';
import type { FileSession } from './file-session.ts';

/** The rows of a statement over a file, under the schema given (which has its own names); errors name the file. */
export async function* readFileBatches(
  session: FileSession,
  sql: string,
  label: string,
  schema: Schema,
  signal: AbortSignal,
): AsyncGenerator<RecordBatch> {
  try {
    const result = await session.guard(signal, () => session.connection.stream(sql));
    const { batches } = readResultAsArrow(result, { signal });
    for (;;) {
      const { done, value } = await session.guard(signal, () => batches.next());
      if (done) return;
      yield underSchema(value, schema);
    }
  } catch (error) {
    throw signal.aborted ? abortedError() : translateFileError(label, error);
  }
}

/** The same columns under another schema of the same types. */
function underSchema(batch: RecordBatch, schema: Schema): RecordBatch {
  const { children } = batch.data;
  const data = arrow.makeData({
    type: new arrow.Struct(schema.fields),
    length: batch.numRows,
    nullCount: 0,
    children,
  });
  return new arrow.RecordBatch(schema, data as never);
}
