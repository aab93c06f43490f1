import type { DuckDBType } from '@duckdb/node-api';
import type { PinnedRef } from '#shared/domain/ref.ts';
import type { DataType, RecordBatch, Schema } from '../../arrow/arrow.ts';
import type { CallContext } from '../../ports/call.ts';
import type { SqlRelation } from '../../ports/sql-engine.ts';
import type { Pinned } from '../../ports/table-reader.ts';
import { duckColumnsOf } from './duckdb-type.ts';

/** Where the engine gets tables from; made of the table reader where the engine is put together. */
export interface RowSource {
  describe(pinned: Pinned, context: CallContext): Promise<SourceFacts>;
  /** Rows in the same order for every call; blob cells carry their address. `offset` counts in the order of whole reads. */
  read(
    input: Pinned & { columns: string[]; limit?: number; offset?: number },
    context: CallContext,
  ): Promise<{ schema: Schema; batches: AsyncIterable<RecordBatch> }>;
  /**
   * How rows that were read at one version follow from those of another: places that are gone, ascending, then rows
   * at the end. `null`, or no such method: everything has to be read anew.
   */
  carryOver?(
    input: { table: string; from: PinnedRef; to: PinnedRef; columns: string[] },
    context: CallContext,
  ): Promise<{ removed: Float64Array; kept: number; added: number } | null>;
}

export interface SourceFacts {
  rows: number;
  columns: { name: string; isHidden: boolean }[];
}

/** The row id, a column of every table. */
export const rowIdColumn = '_rowid';

export interface RelationColumn {
  /** In SQL; differs from `source` where DuckDB cannot tell two names apart. */
  name: string;
  source: string;
  type: DuckDBType;
  arrowType: DataType;
  /** Not in `*`: a row id would make every row distinct, and tables join by it that have nothing in common. */
  isHidden: boolean;
}

/** A table at a pinned ref as statements see it. */
export interface Relation {
  name: string;
  pinned: Pinned;
  /** Table and ref for ever, also when their names are used again. */
  key: string;
  rows: number;
  columns: RelationColumn[];
}

const maxKept = 200;

/** Reads relations; what was read of a pinned ref is kept, since it never changes. */
export class RelationReader {
  #source: RowSource;
  #kept = new Map<string, Promise<Omit<Relation, 'name'>>>();

  constructor(source: RowSource) {
    this.#source = source;
  }

  async read({ name, key, table, ref }: SqlRelation, context: CallContext): Promise<Relation> {
    const known = this.#kept.get(key) ?? readRelation(this.#source, { table, ref }, key, context);
    this.#kept.delete(key);
    this.#kept.set(key, known);
    known.catch(() => this.#kept.delete(key));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxKept) break;
      this.#kept.delete(oldest);
    }
    return { name, ...(await known) };
  }
}

async function readRelation(
  source: RowSource,
  pinned: Pinned,
  key: string,
  context: CallContext,
): Promise<Omit<Relation, 'name'>> {
  const facts = await source.describe(pinned, context);
  const hidden = new Set(facts.columns.filter(({ isHidden }) => isHidden).map((column) => column.name));
  const shown = facts.columns.map((column) => column.name);
  const { schema, batches } = await source.read({ ...pinned, columns: shown, limit: 0 }, context);
  for await (const _batch of batches) break;
  const byName = new Map(schema.fields.map((field) => [field.name, field]));
  const fields = [...shown.filter((column) => column !== rowIdColumn), rowIdColumn].flatMap(
    (column) => byName.get(column) ?? [],
  );
  const ducks = duckColumnsOf({ fields });
  const columns = fields.map((field, index) => ({
    ...(ducks[index] as (typeof ducks)[number]),
    source: field.name,
    arrowType: field.type as DataType,
    isHidden: field.name === rowIdColumn || hidden.has(field.name),
  }));
  return { pinned, key, rows: facts.rows, columns };
}
