import type { Table } from '@lancedb/lancedb';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { DiffSummary } from '#shared/api/edits.ts';
import type { PinnedRef } from '#shared/domain/ref.ts';
import { apply } from '../adapters/lance/apply.ts';
import { createTableDiff } from '../adapters/lance/diff/index.ts';
import { createLanceParts } from '../adapters/lance/table-reader.ts';
import { arrow } from '../arrow/arrow.ts';
import { dataCellToJson, type JsonCell } from '../arrow/cell-json.ts';
import type { CallContext } from '../ports/call.ts';
import type { MergePlan, MergePlanInput, TableDiff } from '../ports/table-diff.ts';
import { type MadeColumn, makeArrowTable } from './columns.ts';
import { makeTable, makeTestHome, type TestHome } from './tables.ts';

export const context: CallContext = { signal: new AbortController().signal };

/** Writes rows by their key, new ones too. */
export const upsert = (table: Table, key: string[], columns: Record<string, MadeColumn>) =>
  table.mergeInsert(key).whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(makeArrowTable(columns));

/** A real table with a branch `exp`, and the diff engine over it; each test has a table of its own. */
export class BranchedTable {
  home!: TestHome;
  diff!: TableDiff;
  name = '';
  main!: Table;
  exp!: Table;
  base!: PinnedRef;
  #made = 0;

  async open(): Promise<void> {
    this.home = await makeTestHome();
    this.diff = createTableDiff(createLanceParts({ home: this.home, cache: `${this.home.path}/.cache` }));
  }

  next(): void {
    this.name = `table${this.#made++}`;
  }

  /** `before` is done to the table before the branch leaves. */
  async start(
    columns: Record<string, MadeColumn>,
    { make = makeTable, before }: { make?: typeof makeTable; before?(table: Table): Promise<unknown> } = {},
  ): Promise<void> {
    this.main = await make(this.home, this.name, columns);
    await before?.(this.main);
    this.base = { branch: 'main', version: await this.main.version() };
    await (await this.main.branches()).create('exp');
    this.exp = await this.home.connection.openTable(this.name, [], { branch: 'exp' });
  }

  async sides() {
    return {
      table: this.name,
      base: this.base,
      from: { branch: 'exp', version: await this.exp.version() },
      into: { branch: 'main', version: await this.main.version() },
    };
  }

  async summarize(): Promise<DiffSummary> {
    return this.diff.summarize(await this.sides(), context);
  }

  async plan(more: Partial<MergePlanInput> = {}): Promise<MergePlan> {
    return this.diff.planMerge({ ...(await this.sides()), ...more }, context);
  }

  async merge(more: Partial<MergePlanInput> = {}): Promise<MergePlan> {
    const planned = await this.plan(more);
    expect(planned.status).toBe('ready');
    const { into } = await this.sides();
    await apply(this.home, { table: this.name, head: into, changeset: planned.changeset! }, context);
    return planned;
  }

  /** The changed rows, as JSON. */
  async changed(more: Record<string, unknown> = {}): Promise<Record<string, JsonCell>[]> {
    const stream = await this.diff.rows({ ...(await this.sides()), ...more }, context);
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream.chunks) chunks.push(chunk);
    return arrow
      .tableFromIPC(Buffer.concat(chunks))
      .batches.flatMap((batch) =>
        Array.from({ length: batch.numRows }, (_, row) =>
          Object.fromEntries(
            batch.schema.fields.map((field, at) => [
              field.name,
              dataCellToJson(batch.data.children[at] as never, row),
            ]),
          ),
        ),
      );
  }
}

/** Cells of a table by column, as JSON, in some order that does not change. */
export async function cellsOf(table: Table, columns: string[]): Promise<JsonCell[][]> {
  const { batches, schema } = await table.query().select(columns).toArrow();
  return batches
    .flatMap((batch) =>
      Array.from({ length: batch.numRows }, (_, row) =>
        columns.map((column) =>
          dataCellToJson(
            batch.data.children[schema.fields.findIndex((field) => field.name === column)] as never,
            row,
          ),
        ),
      ),
    )
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** A home for the file, and a name for each test. */
export function branchTables(): BranchedTable {
  const branched = new BranchedTable();
  beforeAll(() => branched.open());
  beforeEach(() => branched.next());
  afterAll(() => branched.home.remove());
  return branched;
}
