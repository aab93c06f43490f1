import type { TableDiff } from '../../../ports/table-diff.ts';
import type { LanceHome } from '../connect.ts';
import type { PinnedTables } from '../pinned-tables.ts';
import { Comparisons } from './comparisons.ts';
import { overviewOf } from './overview.ts';
import { planMerge } from './plan-merge.ts';
import { streamRows } from './stream-rows.ts';
import { summarize } from './summarize.ts';

/** Three-way comparison of Lance tables; runs in an engine process. */
export function createTableDiff({ home, tables }: { home: LanceHome; tables: PinnedTables }): TableDiff {
  const comparisons = new Comparisons(home);
  return {
    summarize: async (input, context) => summarize(await comparisons.get(input, context)),
    overview: async (input, context) => overviewOf(await comparisons.get(input, context), context.signal),
    async rows(input, context) {
      const { table, from: ref, base, into, ...window } = input;
      const [comparison, { facts }] = await Promise.all([
        comparisons.get({ table, from: ref, base, into }, context),
        tables.open({ table, ref }, context),
      ]);
      return streamRows(comparison, window, { facts, context });
    },
    planMerge: async (input, context) => planMerge(await comparisons.get(input, context), input, context),
  };
}
