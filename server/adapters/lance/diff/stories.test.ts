import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PinnedRef } from '#shared/domain/ref.ts';
import { arrow } from '../../../arrow/arrow.ts';
import { dataCellToJson } from '../../../arrow/cell-json.ts';
import type { CallContext } from '../../../ports/call.ts';
import type { TableDiff } from '../../../ports/table-diff.ts';
import {
  diffStories,
  makeStoryTable,
  rowsAsJson,
  type StoryDiff,
  type StoryRows,
  type StoryShape,
  type StoryStep,
  shapes,
  startRows,
  storyAsJson,
  storySteps,
  tell,
} from '../../../testing/table-story.ts';
import { makeTestHome, type TestHome } from '../../../testing/tables.ts';
import { apply } from '../apply.ts';
import { createLanceParts } from '../table-reader.ts';
import { createTableDiff } from './index.ts';

let home: TestHome;
let diff: TableDiff;
beforeAll(async () => {
  home = await makeTestHome();
  diff = createTableDiff(createLanceParts({ home, cache: `${home.path}/.cache` }));
});
afterAll(() => home.remove());

const context: CallContext = { signal: new AbortController().signal };

let made = 0;
const nextName = (): string => `story${made++}`;

interface Story {
  shape: StoryShape;
  rows: StoryRows;
  before: StoryStep[];
  from: StoryStep[];
  into: StoryStep[];
}

const stories = (over: Partial<StoryShape> = {}): fc.Arbitrary<Story> =>
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
async function perform({ shape, rows, before, from, into }: Story) {
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

type Performed = Awaited<ReturnType<typeof perform>>;

const inputOf = ({ table, base, from, into }: Performed) => ({
  table,
  base: base.ref,
  from: from.ref,
  into: into.ref,
});

/** What the engine says changed, in the form of the naive diff. */
async function engineDiff(
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
      if (kind === 'modified') found.modified.set(id, cell('_columns', row) as string[]);
      else found[kind].push(id);
      expect([from === null, base === null]).toEqual([kind === 'removed', kind === 'added']);
    }
  }
  found.added.sort((a, b) => a - b);
  found.removed.sort((a, b) => a - b);
  return { ...found, modified: new Map([...found.modified].sort(([a], [b]) => a - b)) };
}

/** The merge by looking at every cell: `take` settles the conflicts. */
function mergeStories(
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

const sorted = <T>(rows: ReadonlyMap<number, T>): [number, T][] => [...rows].sort(([a], [b]) => a - b);

async function mergeAll(story: Performed, take?: 'from' | 'into'): Promise<Performed['into']> {
  const plan = await diff.planMerge({ ...inputOf(story), take }, context);
  if (plan.status === 'up-to-date' || plan.changeset === null) return story.into;
  const { table, into } = story;
  const isEmpty =
    plan.changeset.updates.length + plan.changeset.inserts.length === 0 && plan.changeset.deletes === null;
  if (!isEmpty) await apply(home, { table, head: into.ref, changeset: plan.changeset }, context);
  return { ref: { branch: 'main', version: await story.main.version() }, rows: into.rows };
}

const runs = (numRuns: number) => ({ numRuns, endOnFailure: true });

describe('a diff agrees with a look at every cell', () => {
  test.each([
    ['with a key and stable row ids', { isKeyed: true, isStable: true }],
    ['with a key, as other programs make it', { isKeyed: true, isStable: false }],
  ] as const)('in a table %s', async (_name, over) => {
    await fc.assert(
      fc.asyncProperty(stories(over), async (story) => {
        const told = await perform(story);
        const naive = diffStories(told.shape, told.base.rows, told.from.rows);
        expect(await engineDiff(inputOf(told))).toEqual(naive);
        const cells: Record<string, number> = {};
        for (const columns of naive.modified.values())
          for (const name of columns) cells[name] = (cells[name] ?? 0) + 1;
        expect(await diff.summarize(inputOf(told), context)).toMatchObject({
          mode: 'three-way',
          rows: { added: naive.added.length, removed: naive.removed.length, modified: naive.modified.size },
          cells,
          columns: { added: [], removed: [], changed: [] },
          conflicts: { rows: mergeStories(told, 'from').conflicts },
        });
      }),
      runs(20),
    );
  });

  test('in a table with stable row ids only, where a row that was put back is a new one', async () => {
    await fc.assert(
      fc.asyncProperty(stories({ isKeyed: false }), async (story) => {
        const withoutReplace = (steps: StoryStep[]) =>
          steps.filter(({ act }) => act !== 'replace' && act !== 'insert');
        const told = await perform({ ...story, from: withoutReplace(story.from), into: [] });
        const naive = diffStories(told.shape, told.base.rows, told.from.rows);
        expect(await engineDiff(inputOf(told), null)).toEqual(naive);
      }),
      runs(8),
    );
  });
});

describe('a merge', () => {
  test('agrees with a look at every cell, whichever side settles the conflicts', async () => {
    await fc.assert(
      fc.asyncProperty(
        stories(),
        fc.constantFrom('from' as const, 'into' as const),
        fc.boolean(),
        async (story, take, isStable) => {
          const told = await perform({ ...story, shape: { ...story.shape, isStable } });
          const naive = mergeStories(told, take);
          const plan = await diff.planMerge({ ...inputOf(told), dryRun: true }, context);
          expect(plan.status === 'conflicts').toBe(naive.conflicts > 0);
          await mergeAll(told, take);
          expect(sorted(await rowsAsJson(told.main))).toEqual(sorted(storyAsJson(told.shape, naive.rows)));
        },
      ),
      runs(25),
    );
  });

  test('of a side with itself, and with a side that did nothing, changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(stories(), async (story) => {
        const told = await perform({ ...story, into: story.from });
        expect(await diff.planMerge(inputOf(told), context)).toMatchObject({
          status: 'up-to-date',
          changeset: null,
        });
        const back = { table: told.table, base: told.base.ref, from: told.base.ref, into: told.into.ref };
        expect(await diff.planMerge(back, context)).toMatchObject({ status: 'up-to-date', changeset: null });
      }),
      runs(6),
    );
  });

  test('into a side that did nothing gives the other side, and reverting it gives the start', async () => {
    await fc.assert(
      fc.asyncProperty(stories(), async (story) => {
        const told = await perform({ ...story, into: [] });
        const merged = await mergeAll(told);
        expect(sorted(await rowsAsJson(told.main))).toEqual(sorted(storyAsJson(told.shape, told.from.rows)));
        const revert = { ...told, base: merged, from: told.into, into: merged };
        await mergeAll(revert);
        expect(sorted(await rowsAsJson(told.main))).toEqual(sorted(storyAsJson(told.shape, told.base.rows)));
      }),
      runs(8),
    );
  });

  test('in either order gives the same, when nothing conflicts', async () => {
    await fc.assert(
      fc.asyncProperty(stories(), async (story) => {
        const there = await perform(story);
        const back = await perform({ ...story, from: story.into, into: story.from });
        if (mergeStories(there, 'from').conflicts > 0) return;
        await mergeAll(there);
        await mergeAll(back);
        expect(sorted(await rowsAsJson(back.main))).toEqual(sorted(await rowsAsJson(there.main)));
      }),
      runs(8),
    );
  });

  test('after a rebase gives what a merge gives', async () => {
    await fc.assert(
      fc.asyncProperty(stories(), async (story) => {
        const direct = await perform(story);
        const rebased = await perform(story);
        await mergeAll(direct, 'from');
        const rebase = await diff.planMerge(
          {
            table: rebased.table,
            base: rebased.base.ref,
            from: rebased.into.ref,
            into: rebased.from.ref,
            take: 'into',
          },
          context,
        );
        if (rebase.changeset)
          await apply(
            home,
            { table: rebased.table, head: rebased.from.ref, changeset: rebase.changeset },
            context,
          );
        const head = { branch: 'exp', version: await rebased.exp.version() };
        await mergeAll({ ...rebased, base: rebased.into, from: { ref: head, rows: rebased.from.rows } });
        expect(sorted(await rowsAsJson(rebased.main))).toEqual(sorted(await rowsAsJson(direct.main)));
      }),
      runs(8),
    );
  });
});

test('compaction, and writing the same values again, is no change', async () => {
  await fc.assert(
    fc.asyncProperty(stories(), async (story) => {
      const quiet: StoryStep[] = [
        { act: 'touch', ids: [1, 2, 3] },
        { act: 'compact' },
        { act: 'touch', ids: [0, 5] },
      ];
      for (const isStable of [true, false])
        for (const isKeyed of [true, false]) {
          const told = await perform({
            ...story,
            shape: { ...story.shape, isStable, isKeyed },
            from: isKeyed || isStable ? quiet : [{ act: 'compact' }],
            into: [],
          });
          expect(await engineDiff(inputOf(told), isKeyed ? 'id' : null)).toEqual({
            added: [],
            removed: [],
            modified: new Map(),
          });
        }
    }),
    runs(3),
  );
});
