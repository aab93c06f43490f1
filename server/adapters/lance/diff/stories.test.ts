import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import {
  addAgain,
  diffStories,
  firstName,
  rowsAsJson,
  type StoryStep,
  storyAsJson,
} from '../../../testing/table-story.ts';
import {
  context,
  diff,
  engineDiff,
  home,
  inputOf,
  mergeAll,
  mergeStories,
  patienceMs,
  perform,
  runs,
  sorted,
  stories,
} from '../../../testing/told-stories.ts';
import { apply } from '../apply.ts';

vi.setConfig({ testTimeout: patienceMs });

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
        const summary = await diff.summarize(inputOf(told), context);
        const counted = Object.entries(summary.cells).map(([name, count]) => [firstName(name), count]);
        expect({ ...summary, cells: Object.fromEntries(counted) }).toMatchObject({
          mode: 'three-way',
          rows: { added: naive.added.length, removed: naive.removed.length, modified: naive.modified.size },
          cells,
          columns: { added: [], removed: [] },
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

test('a key that stands twice is refused by its name, or is none of the rows that are written', async () => {
  await fc.assert(
    fc.asyncProperty(
      stories(),
      fc.constantFrom('from' as const, 'into' as const),
      fc.nat(11),
      async (story, side, id) => {
        const told = await perform(story);
        const { rows } = told[side];
        if (!rows.has(id)) return;
        const handle = side === 'from' ? told.exp : told.main;
        await addAgain(handle, told.shape, rows, id);
        const branch = side === 'from' ? 'exp' : 'main';
        const twice = { ...told, [side]: { ref: { branch, version: await handle.version() }, rows } };
        const merged = mergeAll(twice, 'from').catch((error: unknown) => error);
        const error = await merged;
        const ids = (await told.main.query().select(['id']).toArray()).map((row) => Number(row.id));
        const doubled = ids.filter((each, at) => ids.indexOf(each) !== at);
        if (error instanceof AppError) {
          expect(error.message).toMatch(new RegExp(`key ${id}\\b`));
          expect(doubled).toEqual(side === 'into' ? [id] : []);
        } else if (side === 'from') expect(doubled).toEqual([]);
        else {
          const touched = diffStories(told.shape, told.base.rows, told.from.rows);
          expect([...touched.modified.keys(), ...touched.added]).not.toContain(id);
        }
      },
    ),
    runs(12),
  );
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
