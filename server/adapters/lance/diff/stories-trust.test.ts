import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { diffStories, rowsAsJson, storyAsJson } from '../../../testing/table-story.ts';
import {
  engineDiff,
  inputOf,
  mergeAll,
  mergeStories,
  patienceMs,
  perform,
  runs,
  sorted,
  stories,
} from '../../../testing/told-stories.ts';

/** As if every story had many rows: the versions are asked what they changed. */
vi.mock('./few-rows.ts', () => ({ fewRows: -1 }));

test(
  'what versions say of themselves leaves no change out, and a merge by it agrees with a look at every cell',
  async () => {
    await fc.assert(
      fc.asyncProperty(stories({ isKeyed: true, isStable: true }), async (story) => {
        const told = await perform(story);
        expect(await engineDiff(inputOf(told))).toEqual(
          diffStories(told.shape, told.base.rows, told.from.rows),
        );
        await mergeAll(told, 'from');
        const { rows } = mergeStories(told, 'from');
        expect(sorted(await rowsAsJson(told.main))).toEqual(sorted(storyAsJson(told.shape, rows)));
      }),
      runs(15),
    );
  },
  patienceMs,
);
