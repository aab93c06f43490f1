import type { Pixels } from './paint-pixels.ts';
import { paintShape } from './paint-shape.ts';
import { type BoxShape, boundsOfPoints, type Shape, type Size } from './shape.ts';

/** A picture whose values are classes: one per pixel, row by row; values without a label are ground. */
export interface ClassMap extends Size {
  values: Pixels;
  labels: ReadonlyMap<number, string>;
}

/** What is compared: a picture of classes, or shapes with their classes in pixels of the picture that they lie on. */
export type RegionSource =
  | { map: ClassMap }
  | { annotations: readonly { shapes: readonly Shape[]; label: string | null; score: number | null }[] };

/** All that is of one class, as in semantic segmentation. */
export interface ClassRegion {
  label: string | null;
  /** The highest of its shapes. */
  score: number | null;
  /** In pixels of the picture; null where nothing is set. */
  bounds: BoxShape | null;
  /** Of the annotations that it is made of, their places in the list; a picture has none. */
  from: readonly number[];
}

export interface RegionOverlap {
  truths: readonly ClassRegion[];
  predictions: readonly ClassRegion[];
  /** By places in the lists. */
  iouOf: (truth: number, prediction: number) => number;
  /** The size at which pixels were counted. */
  size: Size;
}

/**
 * How the classes of a truth and a prediction cover each other, at least one of them a picture. Pixels are counted at
 * the larger of the sizes of both pictures, or of the picture of classes, the masks of runs and the picture that shapes
 * lie on; what is smaller is resampled by nearest. Exact where the sizes are equal.
 */
export function overlapRegions(truth: RegionSource, prediction: RegionSource, on: Size): RegionOverlap {
  const size = [truth, prediction].flatMap((source) => sizesOf(source, on)).reduce(larger);
  const [a, b] = [openSide(truth, on, size), openSide(prediction, on, size)];
  const shared =
    a.ids && b.ids ? countPairs(a, b) : a.ids ? countShapes(a, b) : transposed(countShapes(b, a));
  return {
    truths: a.regions.map((one, at) => ({ ...one, bounds: a.boundsOf(at) })),
    predictions: b.regions.map((one, at) => ({ ...one, bounds: b.boundsOf(at) })),
    size,
    iouOf: (at, other) => {
      const both = shared(at, other);
      const union = a.areas[at]! + b.areas[other]! - both;
      return union === 0 ? 0 : both / union;
    },
  };
}

/** A larger picture is not counted at its own size. */
const mostPixels = 40_000_000;

const larger = (a: Size, b: Size): Size => (b.width * b.height > a.width * a.height ? b : a);

function sizesOf(source: RegionSource, on: Size): Size[] {
  if ('map' in source) return [source.map];
  const masks = source.annotations.flatMap(({ shapes }) => shapes.filter(({ kind }) => kind === 'mask'));
  return [...(on.width * on.height > mostPixels ? [] : [on]), ...(masks as (Shape & Size)[])];
}

type Region = Omit<ClassRegion, 'bounds'>;

interface Side {
  regions: Region[];
  areas: number[];
  /** Of a picture: the place of the region of each pixel and one, 0 for the ground. */
  ids: Uint16Array | null;
  shapes: (readonly Shape[])[];
  boundsOf: (at: number) => BoxShape | null;
  on: Size;
  size: Size;
}

const openSide = (source: RegionSource, on: Size, size: Size): Side =>
  'map' in source ? openMap(source.map, on, size) : openShapes(source.annotations, on, size);

function openMap({ values, labels, ...own }: ClassMap, on: Size, size: Size): Side {
  const names = [...new Set(labels.values())];
  const idOf = new Map([...labels].map(([value, label]) => [value, names.indexOf(label) + 1]));
  const ids = new Uint16Array(size.width * size.height);
  const areas = names.map(() => 0);
  const boxes = names.map(() => [Infinity, Infinity, -1, -1]);
  const columns = Uint32Array.from({ length: size.width }, (_none, x) =>
    Math.floor(((x + 0.5) * own.width) / size.width),
  );
  let [lastValue, lastId] = [-1, 0];
  for (let y = 0; y < size.height; y++) {
    const row = Math.floor(((y + 0.5) * own.height) / size.height) * own.width;
    for (let x = 0; x < size.width; x++) {
      const value = values[row + columns[x]!]!;
      if (value !== lastValue) [lastValue, lastId] = [value, idOf.get(value) ?? 0];
      if (lastId === 0) continue;
      ids[y * size.width + x] = lastId;
      areas[lastId - 1]!++;
      const box = boxes[lastId - 1]!;
      if (x < box[0]!) box[0] = x;
      if (y < box[1]!) box[1] = y;
      if (x > box[2]!) box[2] = x;
      if (y > box[3]!) box[3] = y;
    }
  }
  const [across, down] = [on.width / size.width, on.height / size.height];
  return {
    regions: names.map((label) => ({ label, score: null, from: [] })),
    areas,
    ids,
    shapes: [],
    boundsOf: (at) => {
      const [left = 0, top = 0, right = -1, bottom = -1] = boxes[at]!;
      if (right < 0) return null;
      return boundsOfPoints([
        { x: left * across, y: top * down },
        { x: (right + 1) * across, y: (bottom + 1) * down },
      ]);
    },
    on,
    size,
  };
}

function openShapes(
  annotations: Extract<RegionSource, { annotations: unknown }>['annotations'],
  on: Size,
  size: Size,
): Side {
  const places = new Map<string | null, number[]>();
  annotations.forEach(({ label }, at) => {
    const known = places.get(label);
    if (known) known.push(at);
    else places.set(label, [at]);
  });
  const regions = [...places].map(([label, from]) => {
    const scores = from.flatMap((at) => annotations[at]!.score ?? []);
    return { label, from, score: scores.length === 0 ? null : Math.max(...scores) };
  });
  return {
    regions,
    areas: regions.map(() => 0),
    ids: null,
    shapes: regions.map(({ from }) => from.flatMap((at) => finestOf(annotations[at]!.shapes) ?? [])),
    boundsOf: () => null,
    on,
    size,
  };
}

const finestFirst: readonly Shape['kind'][] = ['mask', 'polygon', 'rotated', 'box', 'keypoints'];

const finestOf = (shapes: readonly Shape[]): Shape | undefined =>
  finestFirst.map((kind) => shapes.find((shape) => shape.kind === kind)).find(Boolean);

type Shared = (at: number, other: number) => number;

const transposed =
  (shared: Shared): Shared =>
  (at, other) =>
    shared(other, at);

/** Pixels of each pair of classes of two pictures, in one pass. */
function countPairs(a: Side, b: Side): Shared {
  const width = b.regions.length + 1;
  const counts = new Float64Array((a.regions.length + 1) * width);
  const [idsA, idsB] = [a.ids!, b.ids!];
  for (let at = 0; at < idsA.length; at++) counts[idsA[at]! * width + idsB[at]!]!++;
  return (at, other) => counts[(at + 1) * width + other + 1]!;
}

const mostMarks = 255;

/** Pixels of each class of a picture under the shapes of each class; counts the areas of these too. */
function countShapes({ ids, regions }: Side, of: Side): Shared {
  const { on, size } = of;
  const painted = new Uint8Array(size.width * size.height);
  const counts = of.shapes.map((shapes, region) => {
    const under = new Float64Array(regions.length + 1);
    const mark = (region % mostMarks) + 1;
    const count = (at: number) => {
      if (painted[at] === mark) return;
      painted[at] = mark;
      under[ids![at]!]!++;
      of.areas[region]!++;
    };
    for (const shape of shapes) paintShape(shape, { on, size }, count);
    if (mark === mostMarks) painted.fill(0);
    return under;
  });
  return (at, other) => counts[other]![at + 1]!;
}
