import { type Matching, type MatchOptions, matchAnnotations } from '#shared/domain/annotations/match.ts';
import type { AnnotationSet } from './annotation-sets.ts';

export type Verdict = 'match' | 'miss' | 'false';

export interface SetComparison {
  matches: number;
  misses: number;
  falses: number;
  /** Shares of the predictions and of the truths that match, in this picture; null where there are none. */
  precision: number | null;
  recall: number | null;
  /** The mean over the matches; null without any. */
  meanIou: number | null;
  /** By set name and place. */
  verdicts: Verdicts;
  /** Where a picture of classes is compared: its classes with the boxes around them. Counts are of classes then. */
  regions: readonly AnnotationSet[] | null;
}

type Verdicts = ReadonlyMap<string, { verdict: Verdict; iou: number | null }>;

export const verdictKey = (set: string, index: number): string => `${set}/${index}`;

/** The signs that stand beside the colour. */
export const verdictSigns: Record<Verdict, string> = { match: '✓', miss: '−', false: '+' };

/** How the predictions of one set meet the truths of another, over what is shown of both. */
export function compareSets(
  truth: AnnotationSet,
  prediction: AnnotationSet,
  options: MatchOptions,
): SetComparison {
  const { matches, misses, falses } = matchAnnotations(truth.annotations, prediction.annotations, options);
  const verdicts = new Map<string, { verdict: Verdict; iou: number | null }>();
  const note = (set: AnnotationSet, at: number, verdict: Verdict, iou: number | null) =>
    verdicts.set(verdictKey(set.name, set.annotations[at]!.index), { verdict, iou });
  for (const match of matches) {
    note(truth, match.truth, 'match', match.iou);
    note(prediction, match.prediction, 'match', match.iou);
  }
  for (const at of misses) note(truth, at, 'miss', null);
  for (const at of falses) note(prediction, at, 'false', null);
  const counts = { truths: truth.annotations.length, predictions: prediction.annotations.length };
  return { ...figuresOf({ matches, misses, falses }, counts), verdicts, regions: null };
}

/** The figures of a matching of so many truths and predictions. */
export function figuresOf(
  { matches, misses, falses }: Matching,
  { truths, predictions }: { truths: number; predictions: number },
): Omit<SetComparison, 'verdicts' | 'regions'> {
  const share = (whole: number) => (whole === 0 ? null : matches.length / whole);
  return {
    matches: matches.length,
    misses: misses.length,
    falses: falses.length,
    precision: share(predictions),
    recall: share(truths),
    meanIou: matches.length === 0 ? null : matches.reduce((sum, { iou }) => sum + iou, 0) / matches.length,
  };
}
