import { BOOLEAN, type DuckDBConnection, type DuckDBInstance, DuckDBTableFunction } from '@duckdb/node-api';
import { type ErrorContext, translateDuckError } from '#shared/sql/duck-error.ts';
import { quoteIdent } from '#shared/sql/ident.ts';
import { assertParamCount, bindParams, type Params } from './bind-params.ts';
import { columnName, noColumn, type PlanNode, prefixOfScan, scanName, scansOf } from './plan-tree.ts';
import type { Statement } from './read-statement.ts';
import type { Relation, RelationColumn } from './relation.ts';
import { columnNamesOf, onlyLimitOf, withNamesOf } from './statement-tree.ts';

/** A relation as the statement sees it, and what must be read of it. */
export interface RelationNeeds {
  relation: Relation;
  /** Columns that names can mean and `*` gives. */
  visible: RelationColumn[];
  /** Of these, the ones whose values the result depends on. */
  needed: RelationColumn[];
  /** The first rows are enough; `null`: all are read. */
  limit: number | null;
}

export interface StatementPlan {
  needs: RelationNeeds[];
  /** Rows of the result, where they are known before it runs. */
  total: number | null;
  resultColumns: { name: string; type: string }[];
}

export interface PlanInput {
  statement: Statement;
  /** The text that positions of errors count in. */
  sql: string;
  relations: Relation[];
  params?: Params;
  /** Rows of the result that are wanted. */
  maxRows?: number;
  missing?: ErrorContext['missing'];
}

/**
 * Asks DuckDB itself what a statement reads: its relations are table functions without rows that the optimiser can
 * push projections into, so the plan names exactly the columns that matter. One plan at a time.
 */
export class StatementPlanner {
  #connection: DuckDBConnection;
  #scans = 0;
  #visible: { columns: RelationColumn[]; rows: number }[] = [];

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  static async create(instance: DuckDBInstance): Promise<StatementPlanner> {
    return new StatementPlanner(await instance.connect());
  }

  get connection(): DuckDBConnection {
    return this.#connection;
  }

  async plan({ statement, sql, relations, params, maxRows, missing }: PlanInput): Promise<StatementPlan> {
    const named = columnNamesOf(statement.tree);
    const visible = relations.map(({ columns }) =>
      columns.filter(({ isHidden, name }) => !isHidden || named.has(name.toLowerCase())),
    );
    this.#visible = relations.map(({ rows }, index) => ({ columns: visible[index] ?? [], rows }));
    const context = {
      sql,
      offset: statement.offset,
      columns: [...new Set(relations.flatMap(({ columns }) => columns.map(({ name }) => name)))],
      missing,
    };
    try {
      for (const [index, relation] of relations.entries()) await this.#createView(index, relation.name);
      const resultColumns = await this.#resultColumnsOf(statement, params, context);
      const [[, plan] = []] = await this.#ask('EXPLAIN (FORMAT json) ', statement, params, context);
      const facts = readPlan(JSON.parse(String(plan)) as PlanNode[], {
        statement,
        relations,
        visible,
        maxRows,
      });
      return { resultColumns, ...facts };
    } catch (error) {
      throw translateDuckError(error, context);
    } finally {
      for (const { name } of relations) await this.#connection.run(`DROP VIEW IF EXISTS ${quoteIdent(name)}`);
    }
  }

  async #createView(index: number, name: string): Promise<void> {
    for (; this.#scans <= index; this.#scans += 1) this.#registerScan(this.#scans);
    const columns = (this.#visible[index]?.columns ?? []).map(
      (column, at) => `${columnName(at)} AS ${quoteIdent(column.name)}`,
    );
    await this.#connection.run(
      `CREATE OR REPLACE VIEW ${quoteIdent(name)} AS SELECT ${columns.join(', ')} FROM ${scanName(index)}()`,
    );
  }

  #registerScan(index: number): void {
    const visibleOf = () => this.#visible[index] ?? { columns: [], rows: 0 };
    this.#connection.registerTableFunction(
      DuckDBTableFunction.create({
        name: scanName(index),
        supportsProjectionPushdown: true,
        parameterTypes: [],
        bindFunction(info) {
          const { columns, rows } = visibleOf();
          info.addResultColumn(noColumn, BOOLEAN);
          for (const [at, { type }] of columns.entries()) info.addResultColumn(columnName(at), type);
          info.setCardinality(rows, true);
        },
        initFunction() {},
        mainFunction(_info, output) {
          output.rowCount = 0;
        },
      }),
    );
  }

  async #resultColumnsOf(
    statement: Statement,
    params: Params | undefined,
    context: ErrorContext,
  ): Promise<StatementPlan['resultColumns']> {
    const prepared = await this.#connection.prepare(statement.text);
    try {
      assertParamCount(params, prepared.parameterCount);
      if (prepared.parameterCount > 0 && statement.kind === 'select') {
        const rows = await this.#ask('DESCRIBE ', statement, params, context);
        return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
      }
      return Array.from({ length: prepared.columnCount }, (_, index) => ({
        name: prepared.columnName(index),
        type: String(prepared.columnType(index)),
      }));
    } finally {
      prepared.destroySync();
    }
  }

  /** Runs the query behind a word; positions of errors are those in the text that was sent. */
  async #ask(
    prefix: string,
    { query, queryOffset }: Statement,
    params: Params | undefined,
    context: ErrorContext,
  ): Promise<unknown[][]> {
    const { values, types } = params === undefined ? {} : bindParams(params);
    try {
      return (await this.#connection.runAndReadAll(prefix + query, values, types)).getRows();
    } catch (error) {
      throw translateDuckError(error, { ...context, offset: queryOffset - prefix.length });
    }
  }
}

/** More than one chunk of DuckDB, so that a result that is cut always has something left to cut. */
const spareRows = 4096;

interface Prefix {
  /** Rows of the only relation, from its first, that the result is made of. */
  end: number;
  /** Of these, rows that are skipped. */
  offset: number;
}

/** The rows of the only relation that the result is, one for one; `null` where it is not so. */
function prefixOf(plan: PlanNode[], { kind, tree }: Statement): Prefix | null {
  const prefix = kind === 'select' ? prefixOfScan(plan) : null;
  if (prefix === 'all') return { end: Number.POSITIVE_INFINITY, offset: 0 };
  const only = prefix === 'limited' ? onlyLimitOf(tree) : null;
  return only && { end: only.limit + only.offset, offset: only.offset };
}

/** The first rows of a relation that are enough; `null`: all are needed. */
function enoughRows(prefix: Prefix | null, maxRows: number | undefined): number | null {
  if (prefix === null) return null;
  const wanted = maxRows === undefined ? Number.POSITIVE_INFINITY : prefix.offset + maxRows + spareRows;
  const rows = Math.min(prefix.end, wanted);
  return Number.isFinite(rows) ? rows : null;
}

interface Planned {
  statement: Statement;
  relations: Relation[];
  visible: RelationColumn[][];
  maxRows: number | undefined;
}

function readPlan(
  plan: PlanNode[],
  { statement, relations, visible, maxRows }: Planned,
): Pick<StatementPlan, 'needs' | 'total'> {
  const scans = scansOf(plan);
  const prefix = prefixOf(plan, statement);
  const limit = enoughRows(prefix, maxRows);
  const scanned = relations[scans[0]?.relation ?? -1];
  const total = prefix && scanned ? Math.max(0, Math.min(scanned.rows, prefix.end) - prefix.offset) : null;
  const shadowed = withNamesOf(statement.tree);
  const needs = relations.flatMap((relation, index) => {
    const own = scans.filter((scan) => scan.relation === index);
    if (own.length === 0 && shadowed.has(relation.name.toLowerCase())) return [];
    const numbers = new Set(own.flatMap(({ columns }) => columns));
    const columns = visible[index] ?? [];
    return [{ relation, visible: columns, needed: columns.filter((_column, at) => numbers.has(at)), limit }];
  });
  return { needs, total };
}
