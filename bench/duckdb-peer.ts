import { DuckDBInstance } from '@duckdb/node-api';
import { editsOf } from './edited-table.ts';

export interface AntiJoin {
  /** Rows that are on one side only, or differ. */
  count(): Promise<number>;
  close(): void;
}

/** Both sides of the comparison as DuckDB's own tables in memory: the reference that looks at every row. */
export async function makeAntiJoin(rows: number, changes: number): Promise<AntiJoin> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  const { updated, deleted, inserted } = editsOf(rows, changes);
  const all = (add: string) =>
    `select id, 'word ' || (id % 10) as label, id * 0.5 as score, (id % 100 + ${add})::integer as n`;
  await connection.run(`create table base as ${all('0')} from range(${rows}) r(id)`);
  await connection.run(`create table side as
    ${all(`(case when list_contains([${updated.join(', ')}], id) then 1 else 0 end)`)} from range(${rows}) r(id)
    where not list_contains([${[...deleted, -1].join(', ')}], id)
    union all ${all('1')} from (select unnest([${inserted.join(', ')}]) as id)`);
  const sql = `select count(*) from base full join side using (id)
    where base.label is distinct from side.label or base.score is distinct from side.score or base.n is distinct from side.n`;
  return {
    async count() {
      const [row] = await (await connection.runAndReadAll(sql)).getRows();
      return Number(row![0]);
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
