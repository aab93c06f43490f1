import type { SqlPlan } from '#shared/api/sql.ts';
import { buildRelationView } from '#shared/sql/build-relation-view.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import { blobUrlValue, isBlobType } from './blob-value.ts';
import type { Connection } from './database.ts';

export type PlannedTable = SqlPlan['tables'][number];

/** Where columns come from; bytes are counted as they arrive. */
export type FetchColumns = (
  table: PlannedTable,
  options: { columns: string[]; limit: number | null; signal: AbortSignal; onBytes: (bytes: number) => void },
) => AsyncIterable<Uint8Array>;

/** Columns of one pinned ref that were loaded together. */
interface Resident {
  table: string;
  key: string;
  /** As the table at the ref calls them. */
  columns: Set<string>;
  bytes: number;
  lastUsed: number;
}

export interface RelationView {
  name: string;
  select: string;
}

let loadCount = 0;

const rowId = '_rowid';

const sourcesOf = (table: PlannedTable): string[] =>
  table.columns.flatMap((name) => table.schema.find((column) => column.name === name)?.source ?? []);

/** Columns of pinned refs that DuckDB in this page holds, the least recently used given up first. */
export class ResidentColumns {
  #residents: Resident[] = [];
  #budgetBytes: number;
  #clock = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get bytes(): number {
    return this.#residents.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Of the bytes that a plan reads, those that are here. */
  residentBytesOf(tables: readonly PlannedTable[]): number {
    return tables.reduce((sum, table) => sum + (this.#missingOf(table).length === 0 ? table.bytes : 0), 0);
  }

  /** Everything is gone with the database that held it. */
  clear(): void {
    this.#residents = [];
  }

  /** Loads what is missing and gives a view for each relation; `transient` tables are for this statement only. */
  async open(
    tables: readonly PlannedTable[],
    connection: () => Promise<Connection>,
    options: { fetchColumns: FetchColumns; signal: AbortSignal; onBytes: (bytes: number) => void },
  ): Promise<{ views: RelationView[]; transient: string[] }> {
    this.#clock += 1;
    const views: RelationView[] = [];
    const transient: string[] = [];
    const needed = new Set(tables.map(({ key }) => key));
    for (const table of tables) {
      const missing = this.#missingOf(table);
      const isPrefix = missing.length > 0 && table.limit !== null && table.limit < table.rows;
      if (missing.length > 0) {
        const wanted = isPrefix ? sourcesOf(table) : missing;
        await this.#makeRoom(table.bytes, needed, connection);
        const loaded = await this.#load(table, wanted, isPrefix ? table.limit : null, connection, options);
        if (isPrefix) {
          transient.push(loaded.table);
          views.push(viewOf(table, [loaded]));
          continue;
        }
        this.#residents.push(loaded);
      }
      views.push(viewOf(table, this.#residentsOf(table)));
    }
    return { views, transient };
  }

  #missingOf(table: PlannedTable): string[] {
    return sourcesOf(table).filter(
      (source) => !this.#residents.some(({ key, columns }) => key === table.key && columns.has(source)),
    );
  }

  #residentsOf(table: PlannedTable): Resident[] {
    const used = new Set<Resident>();
    for (const source of sourcesOf(table)) {
      const resident = this.#residents.find(({ key, columns }) => key === table.key && columns.has(source));
      if (resident) used.add(resident);
    }
    for (const resident of used) resident.lastUsed = this.#clock;
    return [...used];
  }

  async #makeRoom(
    bytes: number,
    needed: ReadonlySet<string>,
    connect: () => Promise<Connection>,
  ): Promise<void> {
    const old = this.#residents.filter(({ key }) => !needed.has(key)).sort((a, b) => a.lastUsed - b.lastUsed);
    for (const resident of old) {
      if (this.bytes + bytes <= this.#budgetBytes) return;
      this.#residents = this.#residents.filter((other) => other !== resident);
      const connection = await connect();
      await connection.execute(`DROP TABLE IF EXISTS ${quoteIdent(resident.table)}`);
      await connection.close();
    }
  }

  /** Through a connection of its own: after an insert that failed, a connection repeats the error for ever. */
  async #load(
    table: PlannedTable,
    columns: string[],
    limit: number | null,
    connect: () => Promise<Connection>,
    {
      fetchColumns,
      signal,
      onBytes,
    }: { fetchColumns: FetchColumns; signal: AbortSignal; onBytes: (bytes: number) => void },
  ): Promise<Resident> {
    loadCount += 1;
    const name = `curio_columns_${loadCount}`;
    const connection = await connect();
    let bytes = 0;
    try {
      let isFirst = true;
      for await (const stream of fetchColumns(table, { columns, limit, signal, onBytes })) {
        bytes += stream.byteLength;
        await connection.insert(stream, { table: name, isFirst });
        isFirst = false;
      }
    } catch (error) {
      await connection.execute(`DROP TABLE IF EXISTS ${quoteIdent(name)}`).catch(() => undefined);
      throw error;
    } finally {
      await connection.close().catch(() => undefined);
    }
    return {
      table: name,
      key: table.key,
      columns: new Set([...columns, rowId]),
      bytes,
      lastUsed: this.#clock,
    };
  }
}

function viewOf(table: PlannedTable, residents: readonly Resident[]): RelationView {
  const columns = table.schema.map(({ name, source, type }) => {
    const resident = table.columns.includes(name)
      ? residents.find((other) => other.columns.has(source))
      : undefined;
    if (!resident) return { name, type, value: null };
    const value = `${quoteIdent(resident.table)}.${quoteIdent(source)}`;
    if (!isBlobType(type)) return { name, type, value };
    return {
      name,
      type,
      value: blobUrlValue(table, source, value, `${quoteIdent(resident.table)}.${rowId}`),
    };
  });
  return {
    name: table.name,
    select: buildRelationView(
      columns,
      residents.map((resident) => resident.table),
      table.rows,
    ),
  };
}
