import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '#shared/api/problem.ts';
import { formatBytes } from '#shared/domain/placement.ts';
import { buildRelationView } from '#shared/sql/build-relation-view.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import { arrow, type RecordBatch, type Schema } from '../../arrow/arrow.ts';
import type { CallContext } from '../../ports/call.ts';
import { ArrowTable } from './arrow-to-duckdb.ts';
import { isBlobCell, type SizeEstimator } from './estimate-bytes.ts';
import { mergeTables } from './merge-tables.ts';
import { deleteRows, inTransaction, mergePlaces, physicalPlaces, type StoredRows } from './move-columns.ts';
import { type Relation, type RelationColumn, type RowSource, rowIdColumn } from './relation.ts';
import type { RelationNeeds } from './statement-planner.ts';

/** Columns of one relation that were loaded together: a table of DuckDB. */
interface ColumnGroup {
  table: string;
  key: string;
  /** Source names to names in the table. */
  columns: Map<string, string>;
  bytes: number;
  /** Order of the rows; groups of one relation can be read side by side only when it is the same. `null`: that of the manifest. */
  order: number | null;
  pinned: Relation['pinned'];
  /** Arrow's fields of the columns, in the order of the table. */
  schema: Schema;
  rows: StoredRows;
  lastUsed: number;
}

export interface ColumnCacheOptions {
  connection: DuckDBConnection;
  source: RowSource;
  sizes: SizeEstimator;
  /** Bytes that stay. */
  budgetBytes: number;
  /** Bytes that one statement may load. */
  maxLoadBytes: number;
}

/** SQL that stands for a relation while a statement runs. */
export interface RelationView {
  name: string;
  select: string;
}

/**
 * Columns of pinned relations as native tables of DuckDB: each is read once, the least recently used go first. What a
 * statement needs of them and is not there yet is read from the source.
 */
export class ColumnCache {
  #options: ColumnCacheOptions;
  #groups: ColumnGroup[] = [];
  #clock = 0;
  /** Of these, those that it reads under several names. */
  #shared: ReadonlySet<string> = new Set();
  /** Tables that were read side by side, by their names. */
  #joined = new Set<string>();
  /** Relations of the statement that runs. */
  #inUse: ReadonlySet<string> = new Set();

  constructor(options: ColumnCacheOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#groups.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Views over loaded columns for every relation of a statement; `release` drops what was for this statement only. */
  async open(
    needs: readonly RelationNeeds[],
    context: CallContext,
  ): Promise<{ views: RelationView[]; release(): Promise<void> }> {
    this.#clock += 1;
    const keys = needs.map(({ relation }) => relation.key);
    this.#inUse = new Set(keys);
    this.#shared = new Set(keys.filter((key, at) => keys.indexOf(key) !== at));
    const transient: ColumnGroup[] = [];
    const release = async () => {
      for (const { table } of transient) await this.#drop(table);
    };
    try {
      const views: RelationView[] = [];
      for (const need of needs) views.push(await this.#openRelation(need, transient, context));
      return { views, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  async #openRelation(
    need: RelationNeeds,
    transient: ColumnGroup[],
    context: CallContext,
  ): Promise<RelationView> {
    const { relation, needed, limit } = need;
    const isMissing = ({ source }: RelationColumn) => !this.#groupWith(relation.key, source);
    let missing = needed.filter(isMissing);
    if (missing.length > 0 && limit !== null && limit < relation.rows) {
      const group = await this.#load(relation, needed, limit, context);
      transient.push(group);
      return viewOf(need, [group]);
    }
    if (missing.length > 0) {
      await this.#carryOver(relation, missing, context);
      missing = missing.filter(isMissing);
    }
    if (missing.length > 0) await this.#add(relation, needed, missing, context);
    const used = new Set(needed.flatMap(({ source }) => this.#groupWith(relation.key, source) ?? []));
    const groups = await this.#together([...used], context);
    for (const group of groups) group.lastUsed = this.#clock;
    return viewOf(need, groups);
  }

  /** Columns that are read side by side a second time become one table: DuckDB scans that twice as fast. */
  async #together(groups: ColumnGroup[], context: CallContext): Promise<ColumnGroup[]> {
    if (groups.length < 2 || groups.some(({ key }) => this.#shared.has(key))) return groups;
    const name = groups.map(({ table }) => table).join('+');
    const bytes = groups.reduce((sum, group) => sum + group.bytes, 0);
    if (!this.#joined.has(name)) {
      if (this.#joined.size >= maxJoined) this.#joined.clear();
      this.#joined.add(name);
      return groups;
    }
    if (bytes > this.#options.budgetBytes * maxMergedShare) return groups;
    this.#joined.delete(name);
    const table = nextTable();
    const schema = new arrow.Schema(groups.flatMap((group) => group.schema.fields));
    const { connection } = this.#options;
    const interrupt = () => connection.interrupt();
    context.signal.addEventListener('abort', interrupt, { once: true });
    try {
      const columns = await mergeTables(connection, table, { groups, schema });
      const [first] = groups as [ColumnGroup];
      const live = first.rows.physicalRows - first.rows.deleted.length;
      const merged: ColumnGroup = {
        ...first,
        table,
        schema,
        columns,
        bytes,
        order: groups.every(({ order }) => order === first.order) ? first.order : null,
        rows: { table, physicalRows: live, deleted: new Float64Array(0) },
      };
      for (const group of groups) await this.#evict(group);
      this.#groups.push(merged);
      return [merged];
    } catch {
      await this.#drop(table);
      context.signal.throwIfAborted();
      return groups;
    } finally {
      context.signal.removeEventListener('abort', interrupt);
    }
  }

  #groupWith(key: string, source: string): ColumnGroup | undefined {
    return this.#groups.find((group) => group.key === key && group.columns.has(source));
  }

  async #add(
    relation: Relation,
    needed: RelationColumn[],
    missing: RelationColumn[],
    context: CallContext,
  ): Promise<void> {
    for (const { source } of needed) {
      const group = this.#groupWith(relation.key, source);
      if (group) group.lastUsed = this.#clock;
    }
    const expected = await this.#options.sizes.estimate(relation, missing, relation.rows, context);
    if (expected > this.#options.maxLoadBytes)
      throw tooLarge(relation, missing, expected, this.#options.maxLoadBytes);
    await this.#makeRoom(expected);
    const group = await this.#load(relation, missing, null, context);
    const others = this.#groups.filter(({ key }) => key === relation.key);
    if (others.some(({ order }) => order !== null && order !== group.order)) {
      await this.#drop(group.table);
      for (const other of others) await this.#evict(other);
      this.#groups.push(await this.#load(relation, needed, null, context));
      return;
    }
    this.#groups.push(group);
  }

  /**
   * Brings columns of another version of the same branch to this one by what changed between them, in place: rows that
   * are gone are deleted, new ones appended. The other version is not kept.
   */
  async #carryOver(relation: Relation, missing: RelationColumn[], context: CallContext): Promise<void> {
    const line = lineOf(relation.key);
    const old = this.#groups.filter(
      ({ key, columns }) =>
        lineOf(key) === line && !this.#inUse.has(key) && missing.some(({ source }) => columns.has(source)),
    );
    for (const group of old) await this.#moveGroup(group, relation, context);
  }

  async #moveGroup(group: ColumnGroup, relation: Relation, context: CallContext): Promise<void> {
    const { source, connection } = this.#options;
    const columns = [...group.columns.keys()];
    const hasUrls = relation.columns.some(
      (column) => group.columns.has(column.source) && isBlobCell(column.arrowType),
    );
    if (!source.carryOver || hasUrls) return;
    const { table, ref } = relation.pinned;
    const plan = await source.carryOver({ table, from: group.pinned.ref, to: ref, columns }, context);
    const live = group.rows.physicalRows - group.rows.deleted.length;
    if (!plan || plan.kept + plan.added !== relation.rows || plan.kept + plan.removed.length !== live) return;
    if (plan.removed.length + plan.added > relation.rows * maxCarriedShare) return;
    const physical = physicalPlaces(plan.removed, group.rows.deleted);
    this.#groups = this.#groups.filter((other) => other !== group);
    try {
      const bytes = await inTransaction(connection, async () => {
        const [isAsNumbered, tail] = await Promise.all([
          deleteRows(connection, group.rows, physical),
          this.#readTail(group, relation, plan, context),
        ]);
        context.signal.throwIfAborted();
        if (!isAsNumbered || rowsOf(tail) !== plan.added) throw new Error('The rows are not as numbered.');
        const stored = await ArrowTable.extend(connection, group.table, group.schema);
        for (const batch of tail) stored.append(batch);
        stored.close();
        return tail.reduce((sum, batch) => sum + batch.data.byteLength, 0);
      });
      const { key, pinned } = relation;
      this.#groups.push({
        ...group,
        key,
        pinned,
        rows: {
          table: group.table,
          physicalRows: group.rows.physicalRows + plan.added,
          deleted: mergePlaces(group.rows.deleted, physical),
        },
        bytes: group.bytes + bytes,
        order: null,
        lastUsed: this.#clock,
      });
    } catch {
      if (context.signal.aborted) this.#groups.push(group);
      else await this.#drop(group.table);
      context.signal.throwIfAborted();
    }
  }

  /** The rows that the relation has after those that were kept. */
  async #readTail(
    group: ColumnGroup,
    { pinned }: Relation,
    { kept, added }: { kept: number; added: number },
    context: CallContext,
  ): Promise<RecordBatch[]> {
    if (added === 0) return [];
    const columns = [...group.columns.keys()];
    const read = await this.#options.source.read({ ...pinned, columns, offset: kept }, context);
    const wanted = columns.map((name) => read.schema.fields.findIndex((field) => field.name === name));
    const tail: RecordBatch[] = [];
    for await (const batch of read.batches) tail.push(pickColumns(batch, wanted, group.schema));
    return tail;
  }

  /** Forgets the least recently used columns, never those of the statement that runs. */
  async #makeRoom(expected: number): Promise<void> {
    const old = this.#groups
      .filter(({ lastUsed }) => lastUsed < this.#clock)
      .sort((a, b) => a.lastUsed - b.lastUsed);
    for (const group of old) {
      if (this.bytes + expected <= this.#options.budgetBytes) return;
      await this.#evict(group);
    }
  }

  async #evict(group: ColumnGroup): Promise<void> {
    this.#groups = this.#groups.filter((other) => other !== group);
    await this.#drop(group.table);
  }

  async #drop(table: string): Promise<void> {
    await this.#options.connection.run(`DROP TABLE IF EXISTS ${quoteIdent(table)}`);
  }

  async #load(
    relation: Relation,
    columns: RelationColumn[],
    limit: number | null,
    context: CallContext,
  ): Promise<ColumnGroup> {
    const table = nextTable();
    const names = columns.map(({ source }) => source);
    const input = { ...relation.pinned, columns: names, ...(limit === null ? {} : { limit }) };
    const { schema, batches } = await this.#options.source.read(input, context);
    const wanted = columns.map(({ source }) => schema.fields.findIndex(({ name }) => name === source));
    const total = limit ?? relation.rows;
    try {
      const stored = await ArrowTable.create(this.#options.connection, table, pickSchema(schema, wanted));
      let bytes = 0;
      let order = 0;
      for await (const batch of batches) {
        context.signal.throwIfAborted();
        const picked = pickColumns(batch, wanted, stored.schema);
        stored.append(picked);
        bytes += picked.data.byteLength;
        order = orderAfter(order, batch);
        context.onProgress?.({
          done: stored.rows,
          total,
          unit: 'rows',
          message: `Reading ${names.length === 1 ? names[0] : `${names.length} columns`} of ${relation.name}`,
        });
      }
      stored.close();
      const stand = stored.columns.map(({ name }, index) => [names[index] as string, name] as const);
      return {
        table,
        key: relation.key,
        columns: new Map(stand),
        bytes,
        order,
        lastUsed: this.#clock,
        pinned: relation.pinned,
        schema: stored.schema,
        rows: { table, physicalRows: stored.rows, deleted: new Float64Array(0) },
      };
    } catch (error) {
      await this.#drop(table);
      throw error;
    }
  }
}

let tableCount = 0;

function nextTable(): string {
  tableCount += 1;
  return `curio_columns_${tableCount}`;
}

const maxJoined = 200;
/** Of the bytes that stay: while they are put together, columns are there twice. */
const maxMergedShare = 0.25;

/** Where more of the rows are others, everything is read anew. */
const maxCarriedShare = 0.25;

/** Table and branch, whatever their version. */
const lineOf = (key: string): string => key.slice(0, key.lastIndexOf(':'));

const rowsOf = (batches: readonly RecordBatch[]): number =>
  batches.reduce((sum, { numRows }) => sum + numRows, 0);

const pickSchema = (schema: Schema, wanted: readonly number[]): Schema =>
  new arrow.Schema(wanted.flatMap((index) => schema.fields[index] ?? []));

function pickColumns(batch: RecordBatch, wanted: readonly number[], schema: Schema): RecordBatch {
  const children = wanted.map((index) => batch.data.children[index]);
  const type = new arrow.Struct(schema.fields);
  const data = arrow.makeData({ type, length: batch.numRows, nullCount: 0, children: children as never });
  return new arrow.RecordBatch(schema, data as never) as RecordBatch;
}

/** A running hash over the row ids, in order. */
function orderAfter(order: number, batch: RecordBatch): number {
  const ids = batch.getChild(rowIdColumn)?.data[0]?.values as BigUint64Array | undefined;
  if (!ids) return order;
  const words = new Uint32Array(ids.buffer, ids.byteOffset, ids.length * 2);
  let hash = order;
  for (let at = 0; at < words.length; at += 1) hash = (Math.imul(hash, 31) + (words[at] as number)) | 0;
  return hash;
}

function viewOf({ relation, visible, needed }: RelationNeeds, groups: readonly ColumnGroup[]): RelationView {
  const columns = visible.map((column) => {
    const group = needed.includes(column)
      ? groups.find((other) => other.columns.has(column.source))
      : undefined;
    const value = group
      ? `${quoteIdent(group.table)}.${quoteIdent(group.columns.get(column.source) ?? '')}`
      : null;
    return { name: column.name, type: String(column.type), value };
  });
  return {
    name: relation.name,
    select: buildRelationView(
      columns,
      groups.map(({ table }) => table),
      relation.rows,
    ),
  };
}

const tooLarge = (
  { name, rows }: Relation,
  columns: RelationColumn[],
  bytes: number,
  limit: number,
): AppError =>
  new AppError({
    code: 'MEMORY',
    message: `The statement reads ${columns.map((column) => column.name).join(', ')} of all ${rows} rows of ${name}: about ${formatBytes(bytes)}, and the engine may use ${formatBytes(limit)}.`,
    hint: 'Read fewer columns, or look at the first rows with LIMIT and no ORDER BY or WHERE.',
  });
