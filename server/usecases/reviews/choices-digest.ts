import { createHash } from 'node:crypto';
import type { MergeChoice } from '#shared/api/edits.ts';

/** The digest of a merge that settles nothing. */
export const noChoices = '';

export const digestText = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** The same choices give the same text, in whichever order they come. */
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
  return digestText(JSON.stringify([take ?? null, texts.sort()]));
}
