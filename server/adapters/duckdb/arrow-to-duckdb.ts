import { type DuckDBAppender, type DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { quoteIdent } from '#shared/sql/ident.ts';
import type { Data, RecordBatch, Schema } from '../../arrow/arrow.ts';
import { type DuckColumn, duckColumnsOf, formatColumns } from './duckdb-type.ts';
import { writeVector } from './vector-writers.ts';

const rowsPerChunk = duckdb.vector_size();

/** A native DuckDB table that grows by Arrow batches of one schema. */
export class ArrowTable {
  readonly name: string;
  readonly schema: Schema;
  readonly columns: DuckColumn[];
  rows = 0;
  #appender: DuckDBAppender;

  private constructor(name: string, schema: Schema, appender: DuckDBAppender) {
    this.name = name;
    this.schema = schema;
    this.columns = duckColumnsOf(schema);
    this.#appender = appender;
  }

  /** Creates the table, empty. */
  static async create(connection: DuckDBConnection, name: string, schema: Schema): Promise<ArrowTable> {
    await connection.run(`CREATE TABLE ${quoteIdent(name)} (${formatColumns(duckColumnsOf(schema))})`);
    return new ArrowTable(name, schema, await connection.createAppender(name));
  }

  /** Goes on with a table that is there, whose columns are those of the schema. */
  static async extend(connection: DuckDBConnection, name: string, schema: Schema): Promise<ArrowTable> {
    return new ArrowTable(name, schema, await connection.createAppender(name));
  }

  append(batch: RecordBatch): void {
    const types = this.columns.map(({ type }) => type);
    const children = batch.data.children as Data[];
    for (let from = 0; from < batch.numRows; from += rowsPerChunk) {
      const count = Math.min(rowsPerChunk, batch.numRows - from);
      const chunk = DuckDBDataChunk.create(types, count);
      children.forEach((data, index) => {
        writeVector(duckdb.data_chunk_get_vector(chunk.chunk, index), { data, from, count, outer: null });
      });
      this.#appender.appendDataChunk(chunk);
      this.rows += count;
    }
  }

  /** Makes the rows visible; nothing can be appended afterwards. */
  close(): void {
    this.#appender.closeSync();
  }
}
