import { diffWordsWithSpace } from 'diff';

export interface TextPart {
  state: 'same' | 'added' | 'removed';
  text: string;
}

export interface TextDiff {
  parts: TextPart[];
  /** So little is shared that old and new read better apart. */
  isRewrite: boolean;
  /** The texts are too long or too different to be compared by word. */
  isTooLarge: boolean;
}

const maxChars = 50_000;
const maxEdits = 4_000;
const rewriteShare = 0.25;

const segmenter =
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'word' }) : undefined;
const hasUnspacedScript = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);

const whole = (before: string, after: string, isTooLarge: boolean): TextDiff => ({
  parts: [
    ...(before === '' ? [] : [{ state: 'removed' as const, text: before }]),
    ...(after === '' ? [] : [{ state: 'added' as const, text: after }]),
  ],
  isRewrite: true,
  isTooLarge,
});

/**
 * Compares two texts by word. The `same` and `removed` parts together are the old text, `same` and `added` the new one.
 * Texts past 50,000 characters, or too far apart to be compared in time, come back whole.
 */
export function diffText(before: string, after: string): TextDiff {
  if (before === after)
    return {
      parts: before === '' ? [] : [{ state: 'same', text: before }],
      isRewrite: false,
      isTooLarge: false,
    };
  if (before.length + after.length > maxChars) return whole(before, after, true);
  const intlSegmenter = segmenter && hasUnspacedScript(before + after) ? segmenter : undefined;
  const changes = diffWordsWithSpace(before, after, {
    maxEditLength: maxEdits,
    ...(intlSegmenter ? { intlSegmenter } : {}),
  });
  if (!changes) return whole(before, after, true);
  const parts: TextPart[] = changes.map(({ value, added, removed }) => ({
    state: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
  const shared = parts.reduce(
    (sum, { state, text }) => (state === 'same' ? sum + text.trim().length : sum),
    0,
  );
  const isRewrite = shared < rewriteShare * Math.min(before.trim().length, after.trim().length);
  return isRewrite ? whole(before, after, false) : { parts, isRewrite, isTooLarge: false };
}
