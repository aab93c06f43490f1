import { iouOf as iouOfShapes } from './measure.ts';
import type { Annotation, Shape } from './shape.ts';

export interface MatchOptions {
  /** IoU from which two count as the same thing. */
  minIou: number;
  /** Things of different classes never match. */
  isByClass: boolean;
}

export interface Match {
  truth: number;
  prediction: number;
  iou: number;
}

export interface Matching {
  matches: Match[];
  /** Truths that no prediction matches: their places in the list. */
  misses: number[];
  /** Predictions that match no truth. */
  falses: number[];
}

const outlineFirst: readonly Shape['kind'][] = ['mask', 'polygon', 'rotated', 'box', 'keypoints'];

/** The shapes by which two annotations are compared: the finest kind that both have, else the finest of each. */
function sharedShapes(a: Annotation, b: Annotation): [Shape, Shape] | null {
  const find = ({ shapes }: Annotation, kind: Shape['kind']) => shapes.find((shape) => shape.kind === kind);
  for (const kind of outlineFirst) {
    const pair = [find(a, kind), find(b, kind)] as const;
    if (pair[0] && pair[1]) return [pair[0], pair[1]];
  }
  const finest = (one: Annotation) => outlineFirst.map((kind) => find(one, kind)).find(Boolean);
  const [shapeA, shapeB] = [finest(a), finest(b)];
  return shapeA && shapeB ? [shapeA, shapeB] : null;
}

/** How much two annotations cover each other, 0 to 1. */
export function iouOfAnnotations(a: Annotation, b: Annotation): number {
  const pair = sharedShapes(a, b);
  return pair ? iouOfShapes(...pair) : 0;
}

/** What is told of a thing before its place is looked at. */
type Ranked = Pick<Annotation, 'label' | 'score'>;

/**
 * Pairs predictions with truths, greedily: the surest prediction first takes the truth that it covers best and that no
 * surer one has taken, as COCO's evaluation does. Predictions without a score come last, in their order.
 */
export const matchAnnotations = (
  truths: readonly Annotation[],
  predictions: readonly Annotation[],
  options: MatchOptions,
): Matching =>
  matchRanked(truths, predictions, {
    ...options,
    iouOf: (truth, prediction) => iouOfAnnotations(truths[truth]!, predictions[prediction]!),
  });

/** The same for things whose IoU is told by their places in the lists. */
export function matchRanked(
  truths: readonly Ranked[],
  predictions: readonly Ranked[],
  { minIou, isByClass, iouOf }: MatchOptions & { iouOf: (truth: number, prediction: number) => number },
): Matching {
  const order = predictions
    .map((_one, at) => at)
    .sort((a, b) => (predictions[b]!.score ?? -1) - (predictions[a]!.score ?? -1) || a - b);
  const taken = new Set<number>();
  const matches: Match[] = [];
  const falses: number[] = [];
  for (const at of order) {
    const prediction = predictions[at]!;
    let best: Match | null = null;
    truths.forEach((truth, index) => {
      if (taken.has(index) || (isByClass && truth.label !== prediction.label)) return;
      const iou = iouOf(index, at);
      if (iou > 0 && iou >= minIou && (best === null || iou > best.iou))
        best = { truth: index, prediction: at, iou };
    });
    const found = best as Match | null;
    if (found) {
      taken.add(found.truth);
      matches.push(found);
    } else falses.push(at);
  }
  const misses = truths.map((_one, at) => at).filter((at) => !taken.has(at));
  return { matches, misses, falses };
}
