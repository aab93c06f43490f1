import type { DuckDBDataChunk, DuckDBResult, DuckDBType } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { arrow, type RecordBatch, type Schema, type Struct } from '../../arrow/arrow.ts';
import { arrowTypeOf } from './arrow-type.ts';
import { createColumnBuilder } from './column-builders.ts';
import type { ColumnBuilder } from './flat-builders.ts';

/** Rows of one Arrow batch; DuckDB's own chunks have 2,048. */
export const rowsPerBatch = 65_536;
const bytesPerBatch = 64 * 1024 * 1024;

/** The Arrow schema of DuckDB columns; every field is nullable. */
export function arrowSchemaOf(
  names: readonly string[],
  types: readonly DuckDBType[],
  metadata?: Map<string, string>,
): Schema {
  const fields = types.map(
    (type, index) => new arrow.Field(names[index] ?? `column${index}`, arrowTypeOf(type), true),
  );
  return new arrow.Schema(fields, metadata);
}

/** Gathers DuckDB chunks into larger Arrow batches. */
export class BatchBuilder {
  readonly schema: Schema;
  #columns: ColumnBuilder[];
  #rows = 0;

  constructor(schema: Schema, types: readonly DuckDBType[]) {
    this.schema = schema;
    this.#columns = types.map((type, index) => createColumnBuilder(type, schema.fields[index]!.type));
  }

  get rowCount(): number {
    return this.#rows;
  }

  /** Rows or bytes of a whole batch are there. */
  get isFull(): boolean {
    return this.#rows >= rowsPerBatch || (this.#rows > 0 && this.byteLength >= bytesPerBatch);
  }

  get byteLength(): number {
    return this.#columns.reduce((sum, column) => sum + column.byteLength, 0);
  }

  /** Copies the chunk's rows, at most the first `limit` of them. */
  append(chunk: DuckDBDataChunk, limit = Number.POSITIVE_INFINITY): void {
    const size = chunk.rowCount;
    const count = Math.min(size, limit);
    this.#columns.forEach((column, index) => {
      const vector = duckdb.data_chunk_get_vector(chunk.chunk, index);
      column.append({ vector, size, from: 0, count, outer: null });
    });
    this.#rows += count;
  }

  /** The rows since the last call as one batch. */
  take(): RecordBatch {
    const children = this.#columns.map((column) => column.take());
    const type = new arrow.Struct(this.schema.fields) as Struct;
    const data = arrow.makeData({ type, length: this.#rows, nullCount: 0, children: children as never });
    this.#rows = 0;
    return new arrow.RecordBatch(this.schema, data as never) as RecordBatch;
  }
}

export interface ArrowOptions {
  metadata?: Map<string, string>;
  signal?: AbortSignal;
}

/** A DuckDB result as Arrow: its schema at once, its batches as they are asked for. */
export function readResultAsArrow(
  result: DuckDBResult,
  options: ArrowOptions = {},
): { schema: Schema; batches: AsyncGenerator<RecordBatch> } {
  const types = result.columnTypes();
  const schema = arrowSchemaOf(result.deduplicatedColumnNames(), types, options.metadata);
  return { schema, batches: readBatches(result, new BatchBuilder(schema, types), options.signal) };
}

async function* readBatches(
  result: DuckDBResult,
  builder: BatchBuilder,
  signal: AbortSignal | undefined,
): AsyncGenerator<RecordBatch> {
  for (;;) {
    signal?.throwIfAborted();
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) break;
    builder.append(chunk);
    if (builder.isFull) yield builder.take();
  }
  if (builder.rowCount > 0) yield builder.take();
}
