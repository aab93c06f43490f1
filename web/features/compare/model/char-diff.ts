import { diffChars } from 'diff';

export interface CharPart {
  text: string;
  isChanged: boolean;
}

const maxChars = 200;
const leastShared = 0.4;

/** What differs between two short texts, by character; `null` where they share too little for that to be read. */
export function diffShort(before: string, after: string): { before: CharPart[]; after: CharPart[] } | null {
  if (before.length > maxChars || after.length > maxChars || before === '' || after === '') return null;
  const parts = diffChars(before, after);
  const shared = parts.reduce(
    (sum, { value, added, removed }) => (added || removed ? sum : sum + value.length),
    0,
  );
  if (shared < leastShared * Math.max(before.length, after.length)) return null;
  const side = (skip: 'added' | 'removed'): CharPart[] =>
    parts
      .filter((part) => !part[skip])
      .map(({ value, added, removed }) => ({ text: value, isChanged: Boolean(added || removed) }));
  return { before: side('added'), after: side('removed') };
}
