import { expect, test } from 'vitest';
import type { ClassMap } from '#shared/domain/annotations/class-regions.ts';
import type { Annotation } from '#shared/domain/annotations/shape.ts';
import type { AnnotationSet } from './annotation-sets.ts';
import { type ComparedSet, compareRegions, overlapSets, shownMap } from './compare-regions.ts';
import { verdictKey } from './compare-sets.ts';

const size = { width: 4, height: 2 };
const mapOf = (digits: string, labels: Record<number, string>): ClassMap => ({
  ...size,
  values: Uint8Array.from(digits, Number),
  labels: new Map(Object.entries(labels).map(([value, label]) => [Number(value), label])),
});
const setOf = (name: string, annotations: Annotation[] = []): AnnotationSet => ({
  name,
  annotations,
  faulty: 0,
  layout: { column: name, many: 'picture', unit: 'pixel', geometry: [] },
});
const compare = (truth: ComparedSet, prediction: ComparedSet, minIou = 0.5, isByClass = true) =>
  compareRegions(truth, prediction, { minIou, isByClass, overlap: overlapSets(truth, prediction, size) });

const truth = {
  set: setOf('mask'),
  map: mapOf('11220022', { 1: 'road', 2: 'car' }),
};

test('two pictures: classes that match, that are missed and that are false, listed with what is around them', () => {
  const found = { set: setOf('found'), map: mapOf('11033033', { 1: 'road', 3: 'tree' }) };
  const compared = compare(truth, found);
  expect(compared).toMatchObject({
    matches: 1,
    misses: 1,
    falses: 1,
    precision: 0.5,
    recall: 0.5,
    meanIou: 1,
  });
  expect([...compared.verdicts]).toEqual([
    [verdictKey('mask', 0), { verdict: 'match', iou: 1 }],
    [verdictKey('found', 0), { verdict: 'match', iou: 1 }],
    [verdictKey('mask', 1), { verdict: 'miss', iou: null }],
    [verdictKey('found', 1), { verdict: 'false', iou: null }],
  ]);
  expect(
    compared.regions?.map(({ name, annotations }) => [name, annotations.map(({ label }) => label)]),
  ).toEqual([
    ['mask', ['road', 'car']],
    ['found', ['road', 'tree']],
  ]);
  expect(compared.regions?.[0]?.annotations[1]?.shapes).toEqual([
    { kind: 'box', x: 2, y: 0, width: 2, height: 2 },
  ]);
  const any = compare(truth, found, 0.5, false);
  expect([any.matches, any.meanIou]).toEqual([2, (1 + 3 / 5) / 2]);
});

test('a picture and shapes: every shape of a class has the verdict of the class', () => {
  const box = (index: number, label: string, x: number, y: number): Annotation => ({
    index,
    label,
    shapes: [{ kind: 'box', x, y, width: 2, height: 1 }],
    score: null,
    caption: null,
    time: null,
  });
  const boxes = {
    set: setOf('boxes', [box(3, 'car', 2, 0), box(5, 'car', 2, 1), box(6, 'sky', 0, 1)]),
    map: null,
  };
  const compared = compare(boxes, truth);
  expect([compared.matches, compared.misses, compared.falses]).toEqual([1, 1, 1]);
  expect(
    ['boxes/3', 'boxes/5', 'boxes/6', 'mask/1', 'mask/0'].map((key) => compared.verdicts.get(key)?.verdict),
  ).toEqual(['match', 'match', 'miss', 'match', 'false']);
  expect(compared.regions?.map(({ name }) => name)).toEqual(['mask']);
});

test('hidden classes are not compared, and an empty picture has none', () => {
  const found = { set: setOf('found'), map: shownMap(mapOf('11220000', { 1: 'road', 2: 'car' }), ['road']) };
  expect(compare(truth, found)).toMatchObject({ matches: 1, misses: 1, falses: 0, meanIou: 0.5 });
  const none = {
    set: setOf('none'),
    map: { width: 1, height: 1, values: new Uint8Array(1), labels: new Map() },
  };
  expect(compare(truth, none)).toMatchObject({
    matches: 0,
    misses: 2,
    falses: 0,
    precision: null,
    recall: 0,
  });
});
