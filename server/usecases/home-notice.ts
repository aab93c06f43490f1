import type { TableSummary } from '#shared/api/tables.ts';
import type { StudioStore } from '../ports/studio-store.ts';

const bornFact = 'home.path';
const currentFact = 'home.current';

/** Remembers where the tables are now; at the start of the server. */
export function rememberHome({ facts }: Pick<StudioStore, 'facts'>, path: string): void {
  facts.set(currentFact, path);
  if (facts.get(bornFact) === null) facts.set(bornFact, path);
}

/** What to say when the home was moved: branches of Lance hold the absolute path of the folder that they were made in. */
export function homeNotice(
  { facts }: Pick<StudioStore, 'facts'>,
  tables: readonly TableSummary[],
): string | null {
  const born = facts.get(bornFact);
  const current = facts.get(currentFact);
  if (current === null || born === current) return null;
  if (tables.every(({ branches }) => branches.length <= 1)) {
    facts.set(bornFact, current);
    return null;
  }
  return `The folder of the tables was moved. Branches keep the folder that they were made in, so they cannot be read here: move it back to where it was, or put a link to it at the old place.`;
}
