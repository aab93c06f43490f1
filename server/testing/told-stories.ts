import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import type { PinnedRef } from '#shared/domain/ref.ts';
import { apply } from '../adapters/lance/apply.ts';
import { createTableDiff } from '../adapters/lance/diff/index.ts';
import { createLanceParts } from '../adapters/lance/table-reader.ts';
import { arrow } from '../arrow/arrow.ts';
import { dataCellToJson } from '../arrow/cell-json.ts';
import type { CallContext } from '../ports/call.ts';
import type { TableDiff } from '../ports/table-diff.ts';
import { isEmptyChangeset } from '../usecases/apply-changeset.ts';
import {
  diffStories,
  firstName,
  makeStoryTable,
  type StoryDiff,
  type StoryRows,
  type StoryShape,
  type StoryStep,
  shapes,
  startRows,
  storySteps,
  tell,
} from './table-story.ts';
import { makeTestHome, type TestHome } from './tables.ts';

/** A home for the file that imports this, and the engine over it; both are there once its tests run. */
export let home: TestHome;
export let diff: TableDiff;
beforeAll(async () => {
  home = await makeTestHome();
  diff = createTableDiff(createLanceParts({ home, cache: `${home.path}/.cache` }));
});
afterAll(() => home.remove());

export const context: CallContext = { signal: new AbortController().signal };

let made = 0;
const nextName = (): string => `story${made++}`;

export interface Story {
  shape: StoryShape;
  rows: StoryRows;
  before: StoryStep[];
  from: StoryStep[];
  into: StoryStep[];
}

export const stories = (over: Partial<StoryShape> = {}): fc.Arbitrary<Story> =>
  shapes
    .map((shape) => ({ ...shape, ...over }))
    .chain((shape) =>
      fc.record({
        shape: fc.constant(shape),
        rows: startRows(shape),
        before: storySteps(shape, 2),
        from: storySteps(shape),
        into: storySteps(shape),
      }),
    );

/** A table with a branch `exp`, both edited since they parted. */
export async function perform({ shape, rows, before, from, into }: Story) {
  const table = nextName();
  const main = await makeStoryTable(home, { name: table, shape, rows });
  const base = await tell(main, { shape, rows, steps: before });
  const baseRef: PinnedRef = { branch: 'main', version: await main.version() };
  await (await main.branches()).create('exp');
  const exp = await home.connection.openTable(table, [], { branch: 'exp' });
  const ours = await tell(exp, { shape, rows: base, steps: from });
  const theirs = await tell(main, { shape, rows: base, steps: into });
  return {
    table,
    shape,
    base: { ref: baseRef, rows: base },
    from: { ref: { branch: 'exp', version: await exp.version() }, rows: ours },
    into: { ref: { branch: 'main', version: await main.version() }, rows: theirs },
    main,
    exp,
  };
}

export type Performed = Awaited<ReturnType<typeof perform>>;

export const inputOf = ({ table, base, from, into }: Performed) => ({
  table,
  base: base.ref,
  from: from.ref,
  into: into.ref,
});

/** What the engine says changed, in the form of the naive diff. */
export async function engineDiff(
  input: Parameters<TableDiff['rows']>[0],
  keyName: 'id' | null = 'id',
): Promise<StoryDiff> {
  const stream = await diff.rows(input, context);
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.chunks) chunks.push(chunk);
  const found: StoryDiff = { added: [], removed: [], modified: new Map() };
  for (const batch of arrow.tableFromIPC(Buffer.concat(chunks)).batches) {
    const cell = (name: string, row: number) =>
      dataCellToJson(
        batch.data.children[batch.schema.fields.findIndex((field) => field.name === name)] as never,
        row,
      );
    for (let row = 0; row < batch.numRows; row++) {
      const [from, base] = [cell('from', row), cell('base', row)] as (null | { id: string })[];
      const id = Number(keyName ? cell('_key', row) : (from ?? base)!.id);
      const kind = cell('_change', row) as 'added' | 'removed' | 'modified';
      if (kind === 'modified')
        found.modified.set(id, (cell('_columns', row) as string[]).map(firstName).sort());
      else found[kind].push(id);
      expect([from === null, base === null]).toEqual([kind === 'removed', kind === 'added']);
    }
  }
  found.added.sort((a, b) => a - b);
  found.removed.sort((a, b) => a - b);
  return { ...found, modified: new Map([...found.modified].sort(([a], [b]) => a - b)) };
}

/** The merge by looking at every cell: `take` settles the conflicts. */
export function mergeStories(
  { shape, base, from, into }: Performed,
  take: 'from' | 'into',
): { rows: StoryRows; conflicts: number } {
  const ours = diffStories(shape, base.rows, from.rows);
  const theirs = diffStories(shape, base.rows, into.rows);
  const rows: StoryRows = new Map(into.rows);
  let conflicts = 0;
  const isConflict = (differs: boolean): boolean => {
    if (differs) conflicts += 1;
    return differs;
  };
  for (const id of ours.added) {
    const [mine, yours] = [from.rows.get(id)!, into.rows.get(id)];
    if (!yours) rows.set(id, mine);
    else if (isConflict(diffStories(shape, new Map([[id, yours]]), new Map([[id, mine]])).modified.size > 0))
      rows.set(id, take === 'from' ? mine : yours);
  }
  for (const id of ours.removed) {
    if (!into.rows.has(id)) continue;
    if (!isConflict(theirs.modified.has(id)) || take === 'from') rows.delete(id);
  }
  for (const [id, columns] of ours.modified) {
    const yours = into.rows.get(id);
    if (!yours) {
      conflicts += 1;
      if (take === 'from') rows.set(id, from.rows.get(id)!);
      continue;
    }
    const merged = { ...yours };
    let splits = 0;
    const apart =
      diffStories(shape, new Map([[id, yours]]), new Map([[id, from.rows.get(id)!]])).modified.get(id) ?? [];
    for (const column of columns) {
      const isBoth = theirs.modified.get(id)?.includes(column) ?? false;
      if (isBoth && !apart.includes(column)) continue;
      if (isBoth) splits += 1;
      if (!isBoth || take === 'from') merged[column] = from.rows.get(id)![column];
    }
    isConflict(splits > 0);
    rows.set(id, merged);
  }
  return { rows, conflicts };
}

export const sorted = <T>(rows: ReadonlyMap<number, T>): [number, T][] => [...rows].sort(([a], [b]) => a - b);

export async function mergeAll(story: Performed, take?: 'from' | 'into'): Promise<Performed['into']> {
  const plan = await diff.planMerge({ ...inputOf(story), take }, context);
  if (plan.status === 'up-to-date' || plan.changeset === null) return story.into;
  const { table, into } = story;
  if (!isEmptyChangeset(plan.changeset))
    await apply(home, { table, head: into.ref, changeset: plan.changeset }, context);
  return { ref: { branch: 'main', version: await story.main.version() }, rows: into.rows };
}

/** `CURIO_LONG=1` tries a hundred times as many, from a seed of its own each time; `CURIO_LONG=n` n times. */
const times = process.env.CURIO_LONG === '1' ? 100 : Number(process.env.CURIO_LONG ?? 1);
export const isLong = times > 1;
export const runs = (numRuns: number) => ({ numRuns: numRuns * times, endOnFailure: true });
export const patienceMs = isLong ? 3_600_000 : 60_000;
