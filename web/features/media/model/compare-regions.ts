import {
  type ClassMap,
  type ClassRegion,
  overlapRegions,
  type RegionOverlap,
  type RegionSource,
} from '#shared/domain/annotations/class-regions.ts';
import { type MatchOptions, matchRanked } from '#shared/domain/annotations/match.ts';
import type { Size } from '#shared/domain/annotations/shape.ts';
import type { AnnotationSet } from './annotation-sets.ts';
import { figuresOf, type SetComparison, type Verdict, verdictKey } from './compare-sets.ts';

/** A set of which a comparison is made; `map` where it is a picture of classes. */
export interface ComparedSet {
  set: AnnotationSet;
  map: ClassMap | null;
}

/** A picture of classes without those that are hidden. */
export const shownMap = (map: ClassMap, hidden: readonly string[]): ClassMap => ({
  ...map,
  labels: new Map([...map.labels].filter(([, label]) => !hidden.includes(label))),
});

/** How the classes of two sets cover each other, at least one of them a picture; what costs is here. */
export const overlapSets = (truth: ComparedSet, prediction: ComparedSet, on: Size): RegionOverlap =>
  overlapRegions(sourceOf(truth), sourceOf(prediction), on);

const sourceOf = ({ set, map }: ComparedSet): RegionSource =>
  map ? { map } : { annotations: set.annotations };

/** How the regions of a prediction meet those of a truth, class by class. */
export function compareRegions(
  truth: ComparedSet,
  prediction: ComparedSet,
  { overlap, ...options }: MatchOptions & { overlap: RegionOverlap },
): SetComparison {
  const { truths, predictions, iouOf } = overlap;
  const matching = matchRanked(truths, predictions, { ...options, iouOf });
  const verdicts = new Map<string, { verdict: Verdict; iou: number | null }>();
  const note = (one: ComparedSet, regions: readonly ClassRegion[]) => (at: number) => {
    const places = one.map ? [at] : regions[at]!.from.map((place) => one.set.annotations[place]!.index);
    return (verdict: Verdict, iou: number | null) => {
      for (const place of places) verdicts.set(verdictKey(one.set.name, place), { verdict, iou });
    };
  };
  const [ofTruth, ofPrediction] = [note(truth, truths), note(prediction, predictions)];
  for (const match of matching.matches) {
    ofTruth(match.truth)('match', match.iou);
    ofPrediction(match.prediction)('match', match.iou);
  }
  for (const at of matching.misses) ofTruth(at)('miss', null);
  for (const at of matching.falses) ofPrediction(at)('false', null);
  return {
    ...figuresOf(matching, { truths: truths.length, predictions: predictions.length }),
    verdicts,
    regions: [
      ...(truth.map ? [listedRegions(truth.set, truths)] : []),
      ...(prediction.map ? [listedRegions(prediction.set, predictions)] : []),
    ],
  };
}

const listedRegions = (set: AnnotationSet, regions: readonly ClassRegion[]): AnnotationSet => ({
  ...set,
  annotations: regions.map(({ label, bounds }, index) => ({
    index,
    shapes: bounds ? [bounds] : [],
    label,
    score: null,
    caption: null,
    time: null,
  })),
});
