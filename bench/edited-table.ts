import { Index } from '@lancedb/lancedb';
import { arrow } from '../server/arrow/arrow.ts';
import type { DoltSession } from './doltlite.ts';
import { connectBench } from './tables.ts';

export const changeCounts = [1, 100, 10_000, 60_000] as const;
const batchRows = 500_000;
const intoChanges = 100;

/** Ids that change: spread evenly over the table; of ten, eight get a new value, one goes, one comes. */
export interface Edits {
  updated: number[];
  deleted: number[];
  inserted: number[];
}

export function editsOf(rows: number, changes: number): Edits {
  const edits: Edits = { updated: [], deleted: [], inserted: [] };
  for (let i = 0; i < changes; i++) {
    const id = Math.floor((i * rows) / changes);
    if (i % 10 === 8) edits.deleted.push(id);
    else if (i % 10 === 9) edits.inserted.push(rows + i);
    else edits.updated.push(id);
  }
  return edits;
}

/** What the receiving side changed: rows that no branch touches. */
function intoEdits(rows: number): number[] {
  const taken = new Set(changeCounts.flatMap((changes) => Object.values(editsOf(rows, changes)).flat()));
  return Array.from({ length: intoChanges }, (_none, i) => {
    let id = Math.floor((i * rows) / intoChanges);
    while (taken.has(id)) id += 1;
    return id;
  });
}

const valuesOf = (ids: readonly number[], add: number) =>
  new arrow.Table({
    id: arrow.makeVector(BigInt64Array.from(ids, BigInt)),
    label: arrow.vectorFromArray(
      ids.map((id) => `word ${id % 10}`),
      new arrow.Utf8(),
    ),
    score: arrow.makeVector(Float64Array.from(ids, (id) => id * 0.5)),
    n: arrow.makeVector(Int32Array.from(ids, (id) => (id % 100) + add)),
  });

const keyed = (table: ReturnType<typeof valuesOf>) => {
  const fields = table.schema.fields.map((field) =>
    field.name === 'id'
      ? new arrow.Field('id', field.type, false, new Map([['curio:key', '1']]))
      : new arrow.Field(field.name, field.type, true),
  );
  const schema = new arrow.Schema(fields);
  const batches = table.batches.map(
    ({ data }) => new arrow.RecordBatch(schema, data.clone(new arrow.Struct(fields) as never)),
  );
  return new arrow.Table(schema, batches);
};

const branchName = (changes: number): string => `changed-${changes}`;

/** A Lance table with an index on its key, a branch per number of changes, and `main` moved on since. Gives the base. */
export async function makeEditedTable(home: string, name: string, rows: number): Promise<number> {
  const db = await connectBench(home);
  for (let from = 0; from < rows; from += batchRows) {
    const ids = Array.from({ length: Math.min(batchRows, rows - from) }, (_none, i) => from + i);
    const batch = keyed(valuesOf(ids, 0));
    if (from === 0) await db.createTable(name, batch);
    else await (await db.openTable(name)).add(batch);
  }
  const main = await db.openTable(name);
  await main.optimize();
  await main.createIndex('id', { config: Index.btree() });
  const base = await main.version();
  const upsert = (table: typeof main, ids: readonly number[], add: number) =>
    table
      .mergeInsert('id')
      .whenMatchedUpdateAll()
      .whenNotMatchedInsertAll()
      .execute(keyed(valuesOf(ids, add)));
  for (const changes of changeCounts) {
    await (await main.branches()).create(branchName(changes));
    const branch = await db.openTable(name, [], { branch: branchName(changes) });
    const { updated, deleted, inserted } = editsOf(rows, changes);
    await upsert(branch, [...updated, ...inserted], 1);
    if (deleted.length > 0) await branch.delete(`id in (${deleted.join(', ')})`);
  }
  await upsert(main, intoEdits(rows), 5);
  return base;
}

/** The same table, branches and changes in DoltLite. */
export async function makeDoltTable(session: DoltSession, rows: number): Promise<void> {
  const change = (ids: readonly number[], add: number) => `
    delete from temp.ids; ${inserts(ids)}
    insert or replace into t select id, 'word ' || (id % 10), id * 0.5, id % 100 + ${add} from temp.ids;`;
  await session.ask(`create table t (id integer primary key, label text, score real, n integer);
    insert into t select value, 'word ' || (value % 10), value * 0.5, value % 100 from generate_series(0, ${rows - 1});
    select dolt_commit('-A', '-m', 'base');
    create temp table ids (id integer primary key);`);
  for (const changes of changeCounts) {
    const { updated, deleted, inserted } = editsOf(rows, changes);
    await session.ask(`select dolt_branch('${branchName(changes)}'); select dolt_checkout('${branchName(changes)}');
      ${change([...updated, ...inserted], 1)}
      delete from temp.ids; ${inserts(deleted)} delete from t where id in (select id from temp.ids);
      select dolt_commit('-A', '-m', 'changes'); select dolt_checkout('main');`);
  }
  await session.ask(
    `select dolt_tag('base'); ${change(intoEdits(rows), 5)} select dolt_commit('-A', '-m', 'into');`,
  );
}

function inserts(ids: readonly number[]): string {
  const parts: string[] = [];
  for (let start = 0; start < ids.length; start += 400)
    parts.push(
      `insert into temp.ids values ${ids
        .slice(start, start + 400)
        .map((id) => `(${id})`)
        .join(', ')};`,
    );
  return parts.join('\n');
}
