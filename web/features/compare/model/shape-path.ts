import { cornersOf, type Point, type Shape } from '#shared/domain/annotations/shape.ts';

const ringPath = (points: readonly Point[]): string =>
  points.length === 0 ? '' : `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}Z`;

const dotSize = 3;

/** The outline of a shape as an SVG path, in pixels of its picture. Masks are drawn by the runs of their columns. */
export function shapePath(shape: Shape): string {
  switch (shape.kind) {
    case 'box':
    case 'rotated':
      return ringPath(cornersOf(shape));
    case 'polygon':
      return shape.rings.map(ringPath).join('');
    case 'keypoints':
      return shape.points
        .filter(({ visibility }) => visibility > 0)
        .map(({ x, y }) => `M${x - dotSize} ${y}h${2 * dotSize}M${x} ${y - dotSize}v${2 * dotSize}`)
        .join('');
    case 'mask':
      return maskPath(shape.counts, shape.height);
  }
}

function maskPath(counts: readonly number[], height: number): string {
  const parts: string[] = [];
  let at = 0;
  counts.forEach((count, index) => {
    if (index % 2 === 1) {
      let left = count;
      let place = at;
      while (left > 0 && height > 0) {
        const y = place % height;
        const run = Math.min(left, height - y);
        parts.push(`M${Math.floor(place / height)} ${y}h1v${run}h-1Z`);
        place += run;
        left -= run;
      }
    }
    at += count;
  });
  return parts.join('');
}
