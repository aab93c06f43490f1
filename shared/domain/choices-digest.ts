import type { MergeChoice } from '../api/edits.ts';
import { sha256 } from './sha256.ts';

/** The digest of a merge that settles nothing. */
export const noChoices = '';

/** The same choices give the same text, in whichever order they come: what a run of checks was made with. */
export function digestChoices({
  take,
  choices = [],
}: {
  take?: 'from' | 'into';
  choices?: readonly MergeChoice[];
}): string {
  if (take === undefined && choices.length === 0) return noChoices;
  const texts = choices.map(({ key, column, take: side, value }) =>
    JSON.stringify([key, column ?? null, side ?? null, value ?? null, value !== undefined]),
  );
  return sha256(JSON.stringify([take ?? null, texts.sort()])).slice(0, 32);
}
