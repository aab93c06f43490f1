import { type BoxUnit, unitScale } from './box-form.ts';
import { formatRleText, isWholeMask, parseRleText } from './rle.ts';
import type { Keypoint, KeypointsShape, MaskShape, Point, PolygonShape, Size } from './shape.ts';

/** How an outline is written: flat rings of x, y as COCO has them, one flat ring, pairs, or `{x, y}`; a mask as runs. */
export type OutlineStyle = 'rings' | 'ring' | 'pairs' | 'ringsOfPairs' | 'points' | 'rleText' | 'rleList';

export interface Outline {
  shape: PolygonShape | MaskShape;
  style: OutlineStyle;
}

export const toNumber = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
};

/** All of a list as numbers; null where one is none. */
export function toNumbers(value: unknown): number[] | null {
  if (!Array.isArray(value)) return null;
  const numbers = value.map(toNumber);
  return numbers.every((number) => number !== null) ? (numbers as number[]) : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Frame {
  unit: BoxUnit;
  size: Size;
}

const toPixels = (points: readonly Point[], { unit, size }: Frame): Point[] => {
  const scale = unitScale(unit, size);
  return points.map(({ x, y }) => ({ x: x * scale.x, y: y * scale.y }));
};

const fromPixels = (points: readonly Point[], { unit, size }: Frame): Point[] => {
  const scale = unitScale(unit, size);
  return points.map(({ x, y }) => ({ x: x / scale.x, y: y / scale.y }));
};

const pairUp = (flat: readonly number[]): Point[] =>
  Array.from({ length: Math.floor(flat.length / 2) }, (_none, at) => ({
    x: flat[2 * at]!,
    y: flat[2 * at + 1]!,
  }));

const flatten = (points: readonly Point[]): number[] => points.flatMap(({ x, y }) => [x, y]);

function readPairs(value: unknown): Point[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const points = value.map((one) => {
    const pair = isRecord(one) ? [toNumber(one.x), toNumber(one.y)] : toNumbers(one);
    return pair && pair.length === 2 && pair[0] !== null && pair[1] !== null
      ? { x: pair[0] as number, y: pair[1] as number }
      : null;
  });
  return points.every((point) => point !== null) ? (points as Point[]) : null;
}

/** Runs of `{size: [height, width], counts}`; null where they do not fill the mask exactly. */
function readMask(value: Record<string, unknown>): Outline | null {
  const size = toNumbers(value.size);
  if (size?.length !== 2) return null;
  const [height = 0, width = 0] = size;
  const isText = typeof value.counts === 'string';
  const counts = isText ? parseRleText(value.counts as string) : toNumbers(value.counts);
  if (!counts) return null;
  const shape: MaskShape = { kind: 'mask', width, height, counts };
  return isWholeMask(shape) ? { shape, style: isText ? 'rleText' : 'rleList' } : null;
}

/** An outline in whichever way it is written; null where it is none. Inverse of {@link formatOutline}. */
export function parseOutline(value: unknown, frame: Frame): Outline | null {
  if (isRecord(value)) return 'counts' in value ? readMask(value) : null;
  if (!Array.isArray(value) || value.length === 0) return null;
  const polygon = (rings: Point[][], style: OutlineStyle): Outline => ({
    shape: { kind: 'polygon', rings: rings.map((ring) => toPixels(ring, frame)) },
    style,
  });
  const flat = toNumbers(value);
  if (flat) return flat.length >= 6 && flat.length % 2 === 0 ? polygon([pairUp(flat)], 'ring') : null;
  const pairs = readPairs(value);
  if (pairs) return polygon([pairs], isRecord(value[0]) ? 'points' : 'pairs');
  const rings = value.map(toNumbers);
  if (rings.every((ring) => ring !== null && ring.length >= 6 && ring.length % 2 === 0))
    return polygon(
      rings.map((ring) => pairUp(ring as number[])),
      'rings',
    );
  const nested = value.map(readPairs);
  return nested.every((ring) => ring !== null) ? polygon(nested as Point[][], 'ringsOfPairs') : null;
}

/** Writes an outline as it was written before; a second ring makes of one ring several. */
export function formatOutline({ shape, style }: Outline, frame: Frame): unknown {
  if (shape.kind === 'mask')
    return {
      size: [shape.height, shape.width],
      counts: style === 'rleList' ? shape.counts : formatRleText(shape.counts),
    };
  const rings = shape.rings.map((ring) => fromPixels(ring, frame));
  const [first = []] = rings;
  const pairs = (ring: Point[]) => ring.map(({ x, y }) => [x, y]);
  switch (style) {
    case 'ring':
      return rings.length > 1 ? rings.map(flatten) : flatten(first);
    case 'pairs':
      return rings.length > 1 ? rings.map(pairs) : pairs(first);
    case 'ringsOfPairs':
      return rings.map(pairs);
    case 'points':
      return first.map(({ x, y }) => ({ x, y }));
    default:
      return rings.map(flatten);
  }
}

/** How keypoints are written: flat with or without visibility, lists of two or three numbers, or `{x, y, visibility}`. */
export type KeypointStyle = 'flat3' | 'flat2' | 'triples' | 'pairs' | 'points';

export interface Keypoints {
  shape: KeypointsShape;
  style: KeypointStyle;
  /** The name of the visibility in `points`; null where they have none. */
  visibilityName: string | null;
}

const hasVisibility = (style: KeypointStyle, visibilityName: string | null): boolean =>
  style === 'flat3' || style === 'triples' || (style === 'points' && visibilityName !== null);

const visibilityNames = ['visibility', 'v', 'visible'];

/** Keypoints in whichever way they are written; null where they are none. Inverse of {@link formatKeypoints}. */
export function parseKeypoints(value: unknown, frame: Frame): Keypoints | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const build = (
    points: Keypoint[],
    style: KeypointStyle,
    { visibilityName = null, isFlag = false }: { visibilityName?: string | null; isFlag?: boolean } = {},
  ): Keypoints => ({
    shape: {
      kind: 'keypoints',
      ...(isFlag ? { tells: 'flags' } : hasVisibility(style, visibilityName) ? {} : { tells: 'none' }),
      points: toPixels(points, frame).map((point, at) => ({ ...point, visibility: points[at]!.visibility })),
    },
    style,
    visibilityName,
  });
  const flat = toNumbers(value);
  if (flat && flat.length % 3 === 0)
    return build(
      Array.from({ length: flat.length / 3 }, (_none, at) => ({
        x: flat[3 * at]!,
        y: flat[3 * at + 1]!,
        visibility: flat[3 * at + 2]!,
      })),
      'flat3',
    );
  if (flat)
    return flat.length % 2 === 0
      ? build(
          pairUp(flat).map((point) => ({ ...point, visibility: 2 })),
          'flat2',
        )
      : null;
  if (value.every(isRecord)) {
    const name = visibilityNames.find((one) => one in (value[0] as object)) ?? null;
    const points = value.map((one) => ({
      x: toNumber(one.x),
      y: toNumber(one.y),
      visibility:
        name === null ? 2 : typeof one[name] === 'boolean' ? Number(one[name]) * 2 : toNumber(one[name]),
    }));
    const isWhole = points.every(({ x, y, visibility }) => x !== null && y !== null && visibility !== null);
    return isWhole
      ? build(points as Keypoint[], 'points', {
          visibilityName: name,
          isFlag: name !== null && typeof (value[0] as Record<string, unknown>)[name] === 'boolean',
        })
      : null;
  }
  const lists = value.map(toNumbers);
  const width = lists[0]?.length;
  if ((width !== 2 && width !== 3) || !lists.every((list) => list?.length === width)) return null;
  return build(
    lists.map((list) => ({ x: list![0]!, y: list![1]!, visibility: width === 3 ? list![2]! : 2 })),
    width === 3 ? 'triples' : 'pairs',
  );
}

/** Writes keypoints as they were written before. */
export function formatKeypoints({ shape, style, visibilityName }: Keypoints, frame: Frame): unknown {
  const points = fromPixels(shape.points, frame).map((point, at) => ({
    ...point,
    visibility: shape.points[at]!.visibility,
  }));
  switch (style) {
    case 'flat3':
      return points.flatMap(({ x, y, visibility }) => [x, y, visibility]);
    case 'flat2':
      return flatten(points);
    case 'triples':
      return points.map(({ x, y, visibility }) => [x, y, visibility]);
    case 'pairs':
      return points.map(({ x, y }) => [x, y]);
    case 'points':
      return points.map(({ x, y, visibility }) => ({
        x,
        y,
        ...(visibilityName === null
          ? {}
          : { [visibilityName]: shape.tells === 'flags' ? visibility > 0 : visibility }),
      }));
  }
}
