import { describe, expect, test } from 'vitest';
import { gridColumnsOf } from '../../grid/index.ts';
import {
  cellsOf,
  describeAnnotationChange,
  layoutsByColumn,
  planAnnotationChanges,
} from './annotation-change.ts';
import { parseChange } from './change.ts';
import { diffShort } from './char-diff.ts';
import { formatClock } from './clock.ts';
import { planNeighbours } from './neighbours.ts';

const columns = gridColumnsOf([
  { name: 'image', type: 'blob', role: 'image', nullable: true, description: '', tags: [] },
  {
    name: 'boxes',
    type: 'list<struct<x: float64, y: float64, width: float64, height: float64, label: utf8>>',
    role: 'box',
    nullable: true,
    description: '',
    tags: [],
  },
]);
const box = (x: number, label: string) => ({ x, y: 10, width: 100, height: 50, label });
const change = (before: unknown[], after: unknown[]) =>
  parseChange({
    _key: 'a',
    _rowids: {},
    _change: 'modified',
    _columns: ['boxes'],
    _conflict: [],
    base: { boxes: before },
    from: { boxes: after },
    into: { boxes: before },
  });

describe('boxes', () => {
  const plan = (before: unknown[], after: unknown[]) => {
    const one = change(before, after);
    const layout = layoutsByColumn(columns, [one]).get('boxes');
    if (!layout) throw new Error('the boxes were not found');
    return planAnnotationChanges({
      layout,
      before: cellsOf(one.base, columns),
      after: cellsOf(one.from, columns),
      size: { width: 640, height: 480 },
    });
  };

  test('are paired by what they cover; changed ones come first', () => {
    const found = plan(
      [box(0, 'cat'), box(200, 'dog'), box(400, 'owl')],
      [box(0, 'cat'), box(210, 'dog'), box(500, 'eel')],
    );
    expect(found.map((one) => [one.state, describeAnnotationChange(one)])).toEqual([
      ['modified', 'moved, IoU 0.82'],
      ['added', 'added'],
      ['removed', 'removed'],
      ['same', 'as it was'],
    ]);
  });

  test('of another class at the same place are one change', () => {
    expect(plan([box(0, 'cat')], [box(0, 'dog')]).map(describeAnnotationChange)).toEqual(['cat → dog']);
  });
});

test('short texts are compared by character where they share enough', () => {
  const parts = diffShort('colour', 'color');
  expect(parts?.before.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['u']);
  expect(parts?.after.map(({ text }) => text).join('')).toBe('color');
  expect([diffShort('cat', 'dog'), diffShort('', 'dog')]).toEqual([null, null]);
});

test('neighbours stay, go and come', () => {
  const near = (id: string) => ({ id, distance: 0 });
  const plan = planNeighbours([near('a'), near('b')], [near('b'), near('c')]);
  expect([plan.before.map(({ state }) => state), plan.after.map(({ state }) => state), plan.kept]).toEqual([
    ['removed', 'same'],
    ['same', 'added'],
    1,
  ]);
});

test('times are written to the tenth', () => {
  expect([0, 5.25, 59.96, 65.2].map(formatClock)).toEqual(['0:00.0', '0:05.3', '1:00.0', '1:05.2']);
});
