import { arrow, type RecordBatch, type Table } from '../../../arrow/arrow.ts';
import type { RowSource } from '../relation.ts';

export interface MemoryTable {
  table: Table;
  hidden?: string[];
}

/** A source over Arrow tables in memory, for tests: keys are `table@branch:version`. Keeps what was read. */
export function createMemoryRowSource(tables: Record<string, MemoryTable>, batchRows = 1000) {
  const reads: { key: string; columns: string[]; limit?: number }[] = [];
  const source: RowSource = {
    async describe({ table, ref }) {
      const found = find(table, ref);
      return {
        rows: found.table.numRows,
        columns: found.table.schema.fields.map(({ name }) => ({
          name,
          isHidden: found.hidden?.includes(name) ?? false,
        })),
      };
    },
    async read({ table, ref, columns, limit }) {
      const all = find(table, ref).table;
      if (limit !== 0)
        reads.push({
          key: `${table}@${ref.branch}:${ref.version}`,
          columns,
          ...(limit === undefined ? {} : { limit }),
        });
      const picked = withRowId(all).select([...columns, '_rowid']);
      return {
        schema: picked.schema,
        batches: cut(limit === undefined ? picked : picked.slice(0, limit), batchRows),
      };
    },
  };
  const find = (table: string, { branch, version }: { branch: string; version: number }): MemoryTable => {
    const found = tables[`${table}@${branch}:${version}`];
    if (!found) throw new Error(`no ${table}@${branch}:${version}`);
    return found;
  };
  return { source, reads };
}

function withRowId(table: Table): Table {
  const ids = arrow.vectorFromArray(
    Array.from({ length: table.numRows }, (_, row) => BigInt(row)),
    new arrow.Uint64(),
  );
  return table.assign(new arrow.Table({ _rowid: ids } as never) as never) as unknown as Table;
}

async function* cut(table: Table, batchRows: number): AsyncGenerator<RecordBatch> {
  for (const batch of table.batches) {
    for (let from = 0; from < batch.numRows; from += batchRows)
      yield batch.slice(from, Math.min(batch.numRows, from + batchRows)) as RecordBatch;
  }
}
