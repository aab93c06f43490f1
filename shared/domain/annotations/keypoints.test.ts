import { expect, test } from 'vitest';
import type { AnnotationLayout } from './layout.ts';
import { writeAnnotations } from './read-annotations.ts';
import { moveShapes, nextUnplaced, placeKeypoint, removeVertex, toggleHidden } from './reshape.ts';
import type { KeypointsShape } from './shape.ts';
import { cocoPerson, formatSkeleton, parseSkeleton, placedLines, skeletonOf } from './skeleton.ts';

const size = { width: 100, height: 100 };
const shape: KeypointsShape = {
  kind: 'keypoints',
  points: [
    { x: 10, y: 10, visibility: 2 },
    { x: 0, y: 0, visibility: 0 },
    { x: 20, y: 20, visibility: 1 },
  ],
};

test('what is not placed is placed, hidden, seen and taken away again; moving leaves it where it is not', () => {
  expect(nextUnplaced([shape])).toBe(1);
  const placed = placeKeypoint([shape], { point: 1, at: { x: 400, y: 5 }, size });
  expect(placed).toEqual([
    { ...shape, points: [shape.points[0], { x: 100, y: 5, visibility: 2 }, shape.points[2]] },
  ]);
  expect(nextUnplaced(placed)).toBeNull();
  const hidden = toggleHidden(placed, 1)!;
  expect((hidden[0] as KeypointsShape).points[1]?.visibility).toBe(1);
  expect(toggleHidden(hidden, 1)).toEqual(placed);
  expect(toggleHidden([shape], 1)).toBeNull();
  expect(removeVertex(placed, { kind: 'vertex', shape: 0, ring: 0, point: 1 })).toEqual([shape]);
  expect((moveShapes([shape], { x: 5, y: 5 }, size)[0] as KeypointsShape).points[1]).toEqual({
    x: 0,
    y: 0,
    visibility: 0,
  });
});

test('points that are only places grow and shrink, and know nothing hidden', () => {
  const plain: KeypointsShape = { ...shape, points: shape.points.slice(0, 1), tells: 'none' };
  expect(nextUnplaced([plain])).toBe(1);
  const more = placeKeypoint([plain], { point: 1, at: { x: 3, y: 4 }, size });
  expect((more[0] as KeypointsShape).points).toHaveLength(2);
  expect(toggleHidden(more, 0)).toBeNull();
  expect(removeVertex(more, { kind: 'vertex', shape: 0, ring: 0, point: 1 })).toEqual([plain]);
});

test('a skeleton is COCO’s where there are 17 points, else as the layout says; as text it is the same', () => {
  expect(skeletonOf({ kind: 'keypoints', field: 'k' }, 17)).toBe(cocoPerson);
  expect(skeletonOf(undefined, 5)).toBeNull();
  const mine = skeletonOf(
    {
      kind: 'keypoints',
      field: 'k',
      names: ['a', 'b', 'c'],
      lines: [
        [0, 2],
        [1, 2],
        [1, 9],
      ],
    },
    3,
  )!;
  expect(mine.lines).toEqual([
    [0, 2],
    [1, 2],
  ]);
  expect(placedLines(mine, shape.points)).toEqual([[0, 2]]);
  expect(parseSkeleton(formatSkeleton(mine))).toEqual({ ...mine, unknown: [] });
  const coco = parseSkeleton(formatSkeleton(cocoPerson));
  expect(coco.lines).toHaveLength(cocoPerson.lines.length);
  expect(parseSkeleton('a\nb: a, z\n')).toEqual({ names: ['a', 'b'], lines: [[0, 1]], unknown: ['z'] });
  expect(skeletonOf({ kind: 'keypoints', field: 'k', names: ['Nose', 'left eye'] }, 2)?.lines).toEqual([
    [0, 1],
  ]);
});

test('new keypoints are written as the others are, whole where they are, and COCO’s count stays true', () => {
  const layout: AnnotationLayout = {
    column: 'objects',
    many: 'list',
    unit: 'pixel',
    geometry: [{ kind: 'keypoints', field: 'keypoints', isWhole: true }],
    label: 'category',
  };
  const objects = [{ keypoints: [[1, 2, 2]], num_keypoints: 1, category: 'hand' }];
  const cell = () => objects;
  const added = writeAnnotations(cell, {
    layout,
    size,
    change: {
      kind: 'add',
      label: 'hand',
      shapes: [{ kind: 'keypoints', points: [{ x: 3.4, y: 4.6, visibility: 1 }] }],
    },
  });
  expect(added.objects).toEqual([...objects, { keypoints: [[3, 5, 1]], num_keypoints: 1, category: 'hand' }]);
  const reshaped = writeAnnotations(cell, {
    layout,
    size,
    change: { kind: 'reshape', index: 0, shapes: [{ ...shape, points: shape.points.slice(0, 2) }] },
  });
  expect(reshaped.objects).toEqual([
    {
      keypoints: [
        [10, 10, 2],
        [0, 0, 0],
      ],
      num_keypoints: 1,
      category: 'hand',
    },
  ]);
});
