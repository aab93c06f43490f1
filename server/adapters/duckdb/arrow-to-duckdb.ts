import {
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
} from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { quoteIdent } from '#shared/sql/ident.ts';
import type { Data, RecordBatch, Schema } from '../../arrow/arrow.ts';
import { distinctNames, duckTypeOf } from './duckdb-type.ts';
import { writeVector } from './vector-writers.ts';

const rowsPerChunk = duckdb.vector_size();

export interface DuckColumn {
  name: string;
  type: DuckDBType;
}

/** The columns of a DuckDB table that holds rows of the schema. */
export function duckColumnsOf(schema: Schema): DuckColumn[] {
  const names = distinctNames(schema.fields.map(({ name }) => name));
  return schema.fields.map((field, index) => ({
    name: names[index] as string,
    type: duckTypeOf(field.type),
  }));
}

export const formatColumns = (columns: readonly DuckColumn[]): string =>
  columns.map(({ name, type }) => `${quoteIdent(name)} ${type}`).join(', ');

/** A native DuckDB table that grows by Arrow batches of one schema. */
export class ArrowTable {
  readonly name: string;
  readonly columns: DuckColumn[];
  rows = 0;
  #appender: DuckDBAppender;

  private constructor(name: string, columns: DuckColumn[], appender: DuckDBAppender) {
    this.name = name;
    this.columns = columns;
    this.#appender = appender;
  }

  /** Creates the table, empty. */
  static async create(connection: DuckDBConnection, name: string, schema: Schema): Promise<ArrowTable> {
    const columns = duckColumnsOf(schema);
    await connection.run(`CREATE TABLE ${quoteIdent(name)} (${formatColumns(columns)})`);
    return new ArrowTable(name, columns, await connection.createAppender(name));
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
