import { expect, test } from 'vitest';
import type { AnnotationLayout } from './layout.ts';
import { type AnnotationChange, writeAnnotations } from './read-annotations.ts';

const size = { width: 100, height: 100 };
const box: AnnotationLayout['geometry'][number] = { kind: 'box', fields: ['bbox'], form: 'xywh' };
const list: AnnotationLayout = {
  column: 'o',
  many: 'list',
  unit: 'pixel',
  geometry: [box],
  label: 'label',
  time: 'frame',
};
const write = (row: Record<string, unknown>, layout: AnnotationLayout, change: AnnotationChange) =>
  writeAnnotations((name) => row[name] ?? null, { layout, size, change });

test('a new annotation gets the time of its frame', () => {
  const row = { o: [{ bbox: [1, 2, 3, 4], label: 'a', frame: 0, track: 7 }] };
  const shapes = [{ kind: 'box' as const, x: 5, y: 6, width: 7, height: 8 }];
  expect(write(row, list, { kind: 'add', shapes, label: 'b', time: 12 }).o).toEqual([
    ...row.o,
    { bbox: [5, 6, 7, 8], label: 'b', frame: 12, track: null },
  ]);
});

test('a repeated annotation keeps everything but its time and an id of its own', () => {
  const one = { bbox: [1, 2, 3, 4], label: 'a', frame: 0, track: 7 };
  const change = { kind: 'repeat', indexes: [0], time: 5 } as const;
  expect(write({ o: [one] }, list, change).o).toEqual([one, { ...one, frame: 5 }]);
  const own = [
    { ...one, id: 'p' },
    { ...one, id: 'q', frame: 1 },
  ];
  expect(write({ o: own }, list, change).o).toEqual([...own, { ...one, id: null, frame: 5 }]);
  const shared = own.map((each) => ({ ...each, id: 'p' }));
  expect(write({ o: shared }, list, change).o).toEqual([...shared, { ...one, id: 'p', frame: 5 }]);
});

test('lists side by side are repeated in step', () => {
  const layout: AnnotationLayout = { ...list, column: 'bbox', many: 'columns', parallel: ['track'] };
  const row = { bbox: [[1, 2, 3, 4]], label: ['a'], frame: [3], track: [9] };
  expect(write(row, layout, { kind: 'repeat', indexes: [0], time: 4 })).toEqual({
    bbox: [
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ],
    label: ['a', 'a'],
    frame: [3, 4],
    track: [9, 9],
  });
});

test('adding to the one annotation of a row keeps what else is written of it', () => {
  const layout: AnnotationLayout = { ...list, many: 'one', time: null };
  const shapes = [{ kind: 'box' as const, x: 5, y: 6, width: 7, height: 8 }];
  expect(
    write({ o: { bbox: [1, 2, 3, 4], label: 'a', note: 'n' } }, layout, {
      kind: 'add',
      shapes,
      label: 'a',
    }).o,
  ).toEqual({ bbox: [5, 6, 7, 8], label: 'a', note: 'n' });
});
