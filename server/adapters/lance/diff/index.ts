import type { TableDiff } from '../../../ports/table-diff.ts';
import { openHome } from '../connect.ts';
import { Comparisons } from './comparisons.ts';
import { summarize } from './summarize.ts';

export interface DiffSettings {
  /** Folder of the tables. */
  home: string;
}

/** Three-way comparison of Lance tables; runs in an engine process. */
export function createTableDiff({ home: path }: DiffSettings): TableDiff {
  const opened = openHome(path).then((home) => ({ home, comparisons: new Comparisons(home) }));
  opened.catch(() => undefined);
  return {
    async summarize(input, context) {
      const { comparisons } = await opened;
      return summarize(await comparisons.get(input, context));
    },
  } as TableDiff;
}
