import { Index, type Table } from '@lancedb/lancedb';
import fc from 'fast-check';
import { valuesEqual } from '#shared/domain/values-equal.ts';
import { isBlobField } from '../adapters/lance/column-type-arrow.ts';
import type { LanceHome } from '../adapters/lance/connect.ts';
import { dataCellToJson, type JsonCell } from '../arrow/cell-json.ts';
import { type CellKind, storableKinds } from './arbitrary-cells.ts';
import { type MadeColumn, makeArrowTable } from './columns.ts';
import { makeForeignTable, makeTable } from './tables.ts';

/** A row without its id: cells by column, as `makeArrowTable` takes them. */
export type StoryRow = Record<string, unknown>;
/** What a table holds, beside the real one. */
export type StoryRows = Map<number, StoryRow>;

/** Columns `c0`, `c1`, … of these kinds beside the key `id`. */
export interface StoryShape {
  kinds: CellKind[];
  isStable: boolean;
  isKeyed: boolean;
}

export type StoryStep =
  | { act: 'set'; ids: number[]; column: number; cell: unknown; isPatch: boolean }
  | { act: 'touch'; ids: number[] }
  | { act: 'delete'; ids: number[] }
  | { act: 'insert'; id: number; cells: unknown[] }
  | { act: 'replace'; id: number; cells: unknown[] }
  | { act: 'compact' }
  /** The column gets a name of its own. */
  | { act: 'rename'; column: number };

const cellsOf = (kinds: readonly CellKind[]): fc.Arbitrary<unknown[]> =>
  fc.tuple(...kinds.map(({ cell }) => cell)) as fc.Arbitrary<unknown[]>;

export const shapes: fc.Arbitrary<StoryShape> = fc.record({
  kinds: fc.subarray([...storableKinds], { minLength: 3, maxLength: 3 }),
  isStable: fc.constant(true),
  isKeyed: fc.constant(true),
});

const firstIds = 12;
const ids = fc.uniqueArray(fc.nat(firstIds + 3), { minLength: 1, maxLength: 4 });

export const startRows = ({ kinds }: StoryShape): fc.Arbitrary<StoryRows> =>
  fc
    .array(cellsOf(kinds), { minLength: firstIds, maxLength: firstIds })
    .map((rows) => new Map(rows.map((cells, id) => [id, toRow(cells)])));

/** What a column is called once it was renamed. */
const renamed = (name: string): string => `${name}_renamed`;

/** The name that it had at first. */
export const firstName = (name: string): string => name.replace(/_renamed$/, '');

const toRow = (cells: readonly unknown[]): StoryRow =>
  Object.fromEntries(cells.map((cell, column) => [`c${column}`, cell]));

export const storySteps = ({ kinds }: StoryShape, maxLength = 5): fc.Arbitrary<StoryStep[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.nat(kinds.length - 1).chain((column) =>
          fc.record({
            act: fc.constant('set' as const),
            ids,
            column: fc.constant(column),
            cell: kinds[column]!.cell,
            isPatch: fc.boolean(),
          }),
        ),
      },
      { weight: 1, arbitrary: fc.record({ act: fc.constant('touch' as const), ids }) },
      { weight: 2, arbitrary: fc.record({ act: fc.constant('delete' as const), ids }) },
      {
        weight: 2,
        arbitrary: fc.record({
          act: fc.constant('insert' as const),
          id: fc.integer({ min: firstIds, max: firstIds + 3 }),
          cells: cellsOf(kinds),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          act: fc.constant('replace' as const),
          id: fc.nat(firstIds - 1),
          cells: cellsOf(kinds),
        }),
      },
      { weight: 1, arbitrary: fc.record({ act: fc.constant('compact' as const) }) },
      {
        weight: 1,
        arbitrary: fc.record({
          act: fc.constant('rename' as const),
          column: fc.nat(kinds.length - 1),
        }),
      },
    ),
    { maxLength },
  );

const keyFacts = { 'curio:key': '1' };

function columnsOf(
  { kinds, isKeyed }: StoryShape,
  rows: StoryRows,
  { only, isRenamed = () => false }: { only?: readonly string[]; isRenamed?(name: string): boolean } = {},
) {
  const names = only ?? kinds.map((_kind, column) => `c${column}`);
  const columns: Record<string, MadeColumn> = {
    id: { type: 'int64', values: [...rows.keys()].map(BigInt), metadata: isKeyed ? keyFacts : {} },
  };
  for (const name of names) {
    const { type } = kinds[Number(name.slice(1))]!;
    columns[isRenamed(name) ? renamed(name) : name] = {
      type,
      values: [...rows.values()].map((row) => row[name] ?? null),
    };
  }
  return columns;
}

export async function makeStoryTable(
  home: LanceHome,
  { name, shape, rows }: { name: string; shape: StoryShape; rows: StoryRows },
): Promise<Table> {
  const make = shape.isStable ? makeTable : makeForeignTable;
  const table = await make(home, name, columnsOf(shape, rows));
  // Lance loses an index of a branch when it compacts a table without stable row ids.
  if (shape.isKeyed && shape.isStable) await table.createIndex('id', { config: Index.btree() });
  return table;
}

/** Adds a row of the table once more, under the same key. */
export async function addAgain(table: Table, shape: StoryShape, rows: StoryRows, id: number): Promise<void> {
  const stored = new Set((await table.schema()).fields.map(({ name }) => name));
  const isRenamed = (name: string): boolean => stored.has(renamed(name));
  await table.add(makeArrowTable(columnsOf(shape, new Map([[id, rows.get(id)!]]), { isRenamed })));
}

/** Does the steps to the real table and to the rows beside it. */
export async function tell(
  table: Table,
  { shape, rows, steps }: { shape: StoryShape; rows: StoryRows; steps: readonly StoryStep[] },
): Promise<StoryRows> {
  const now: StoryRows = new Map([...rows].map(([id, row]) => [id, { ...row }]));
  const stored = new Set((await table.schema()).fields.map(({ name }) => name));
  const isRenamed = (name: string): boolean => stored.has(renamed(name));
  const arrowOf = (some: StoryRows, only?: string[]) =>
    makeArrowTable(columnsOf(shape, some, { only, isRenamed }));
  /** Lance cannot patch blob columns by an index. */
  const writesBlobs = (only?: string[]): boolean =>
    shape.kinds.some(
      ({ type }, column) => type === 'blob' && (only ?? [`c${column}`]).includes(`c${column}`),
    );
  const upsert = (some: StoryRows, only?: string[]) =>
    table.mergeInsert('id').useIndex(!writesBlobs(only)).whenMatchedUpdateAll().execute(arrowOf(some, only));
  for (const step of steps) {
    if (step.act === 'compact') {
      await table.optimize();
      continue;
    }
    if (step.act === 'rename') {
      const name = `c${step.column}`;
      if (isRenamed(name)) continue;
      await table.alterColumns([{ path: name, rename: renamed(name) }]);
      stored.add(renamed(name));
      continue;
    }
    const asked = 'ids' in step ? step.ids : [step.id];
    const present = asked.filter((id) => now.has(id));
    if (step.act === 'insert') {
      if (present.length > 0) continue;
      const row = toRow(step.cells);
      await table.add(arrowOf(new Map([[step.id, row]])));
      now.set(step.id, row);
      continue;
    }
    if (present.length === 0) continue;
    const isAny = `id in (${present.join(', ')})`;
    if (step.act === 'delete') {
      await table.delete(isAny);
      for (const id of present) now.delete(id);
    } else if (step.act === 'touch') {
      await upsert(new Map(present.map((id) => [id, now.get(id)!])));
    } else if (step.act === 'replace') {
      const row = toRow(step.cells);
      await table.delete(isAny);
      await table.add(arrowOf(new Map([[step.id, row]])));
      now.set(step.id, row);
    } else {
      const name = `c${step.column}`;
      for (const id of present) now.set(id, { ...now.get(id)!, [name]: step.cell });
      const some: StoryRows = new Map(present.map((id) => [id, now.get(id)!]));
      await upsert(some, step.isPatch ? [name] : undefined);
    }
  }
  return now;
}

/** Structs and maps in one order, whatever theirs is. */
const textOf = (row: Record<string, JsonCell>): string =>
  JSON.stringify(row, (_name, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

const blobText = (bytes: Buffer | null): string | null => bytes?.toString('base64') ?? null;

/** The rows of a real table as JSON text, by id: -0 and 0 are the same there. */
export async function rowsAsJson(table: Table): Promise<Map<number, string>> {
  const { batches, schema } = await table.query().withRowId().toArrow();
  const found = new Map<number, string>();
  const blobs = new Set(schema.fields.filter(isBlobField).map(({ name }) => name));
  for (const batch of batches) {
    const ids = Array.from(batch.getChild('_rowid')!.toArray() as BigUint64Array);
    const bytes = new Map<string, (Buffer | null)[]>();
    for (const name of blobs) bytes.set(name, await table.fetchBlobs(name, ids));
    for (let row = 0; row < batch.numRows; row++) {
      const cells = schema.fields
        .filter(({ name }) => name !== '_rowid')
        .map(({ name }, at): [string, JsonCell] => [
          firstName(name),
          blobs.has(name)
            ? blobText(bytes.get(name)![row] ?? null)
            : dataCellToJson(batch.data.children[at] as never, row),
        ]);
      const { id, ...rest } = Object.fromEntries(cells);
      found.set(Number(id), textOf(rest));
    }
  }
  return found;
}

/** The rows beside the table, in the same form. */
export function storyAsJson(shape: StoryShape, rows: StoryRows): Map<number, string> {
  const table = makeArrowTable(columnsOf(shape, rows));
  const batch = table.batches[0]!;
  return new Map(
    [...rows.keys()].map((id, row) => [
      id,
      textOf(
        Object.fromEntries(
          shape.kinds.map(({ type }, column) => [
            `c${column}`,
            type === 'blob'
              ? blobText(([...rows.values()][row]![`c${column}`] as { data: Buffer } | null)?.data ?? null)
              : dataCellToJson(batch.data.children[column + 1]!, row),
          ]),
        ),
      ),
    ]),
  );
}

export interface StoryDiff {
  added: number[];
  removed: number[];
  /** Changed columns by id. */
  modified: Map<number, string[]>;
}

/** The differences, by looking at every cell of both. */
export function diffStories({ kinds }: StoryShape, before: StoryRows, after: StoryRows): StoryDiff {
  const modified = new Map<number, string[]>();
  for (const [id, row] of after) {
    const old = before.get(id);
    if (!old) continue;
    const changed = kinds.flatMap(({ plain }, column) => {
      const name = `c${column}`;
      const [was, is] = [old[name], row[name]].map((cell) => (cell === null ? null : plain(cell)));
      return valuesEqual(was, is) ? [] : [name];
    });
    if (changed.length > 0) modified.set(id, changed);
  }
  return {
    added: [...after.keys()].filter((id) => !before.has(id)).sort((a, b) => a - b),
    removed: [...before.keys()].filter((id) => !after.has(id)).sort((a, b) => a - b),
    modified: new Map([...modified].sort(([a], [b]) => a - b)),
  };
}
