import type { GeometryLayout } from './layout.ts';
import type { Keypoint } from './shape.ts';

/** The points of a body (or a hand, a face, …) by their names, and which of them are joined by lines. */
export interface Skeleton {
  names: readonly string[];
  /** Pairs of places in `names`, from 0. */
  lines: readonly (readonly [from: number, to: number])[];
}

/** The 17 points of COCO's persons, in COCO's order, with the lines of its `skeleton`. */
export const cocoPerson: Skeleton = {
  names: [
    'nose',
    'left_eye',
    'right_eye',
    'left_ear',
    'right_ear',
    'left_shoulder',
    'right_shoulder',
    'left_elbow',
    'right_elbow',
    'left_wrist',
    'right_wrist',
    'left_hip',
    'right_hip',
    'left_knee',
    'right_knee',
    'left_ankle',
    'right_ankle',
  ],
  lines: [
    [15, 13],
    [13, 11],
    [16, 14],
    [14, 12],
    [11, 12],
    [5, 11],
    [6, 12],
    [5, 6],
    [5, 7],
    [6, 8],
    [7, 9],
    [8, 10],
    [1, 2],
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 4],
    [3, 5],
    [4, 6],
  ],
};

type KeypointsLayout = Extract<GeometryLayout, { kind: 'keypoints' }>;

/**
 * The skeleton of keypoints: as the layout names it, else COCO's person where there are 17 points; null where nobody
 * said what the points are. Named points without lines take COCO's where their names are COCO's.
 */
export function skeletonOf(layout: KeypointsLayout | undefined, count: number): Skeleton | null {
  const names = layout?.names;
  if (!names || names.length === 0) return count === cocoPerson.names.length ? cocoPerson : null;
  const lines = layout.lines?.filter(([from, to]) => from < names.length && to < names.length);
  return { names, lines: lines ?? cocoLines(names) };
}

function cocoLines(names: readonly string[]): Skeleton['lines'] {
  const plain = names.map((name) => name.toLowerCase().replace(/[^a-z]+/g, '_'));
  return cocoPerson.lines.flatMap(([from, to]): [number, number][] => {
    const [a, b] = [plain.indexOf(cocoPerson.names[from]!), plain.indexOf(cocoPerson.names[to]!)];
    return a < 0 || b < 0 ? [] : [[a, b]];
  });
}

/** The lines whose both ends are placed. */
export const placedLines = ({ lines }: Skeleton, points: readonly Keypoint[]): Skeleton['lines'] =>
  lines.filter(([from, to]) => (points[from]?.visibility ?? 0) > 0 && (points[to]?.visibility ?? 0) > 0);

/** What a point is called: its name, else its number from 1. */
export const pointName = (skeleton: Skeleton | null, at: number): string =>
  skeleton?.names[at] ?? `point ${at + 1}`;

/** A skeleton as text: one point a line, after a colon those of the points before it that it is joined to. Inverse of {@link parseSkeleton}. */
export function formatSkeleton({ names, lines }: Skeleton): string {
  return names
    .map((name, at) => {
      const joined = lines.flatMap(([from, to]) =>
        Math.max(from, to) === at ? [names[Math.min(from, to)]!] : [],
      );
      return joined.length === 0 ? name : `${name}: ${joined.join(', ')}`;
    })
    .join('\n');
}

/** Reads a skeleton from text; names that no line begins with are left out and told. */
export function parseSkeleton(text: string): Skeleton & { unknown: string[] } {
  const rows = text
    .split('\n')
    .map((line) => line.split(':').map((part) => part.trim()))
    .filter(([name]) => name !== undefined && name !== '');
  const names = rows.map(([name]) => name!);
  const unknown: string[] = [];
  const lines: [number, number][] = [];
  rows.forEach(([, joined = ''], at) => {
    for (const other of joined.split(',').map((one) => one.trim())) {
      if (other === '') continue;
      const place = names.indexOf(other);
      if (place < 0) unknown.push(other);
      else if (place !== at) lines.push([Math.min(place, at), Math.max(place, at)]);
    }
  });
  return { names, lines, unknown };
}
