import { int64, struct, utf8 } from '@uwdata/flechette';
import { expect, test } from 'vitest';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import { arrowRows } from '../../../testing/arrow-rows.ts';
import { fakeColumn } from '../../../testing/fixtures.ts';
import { createStaticSource, gridColumnsOf } from '../../grid/index.ts';
import {
  detectInTable,
  filterSets,
  layoutsFor,
  legendOf,
  readSets,
  scoreRange,
  withCells,
} from './annotation-sets.ts';
import { compareSets, verdictKey } from './compare-sets.ts';
import { addStep, draftCells, draftLabel, emptyDraft, isDirty, redoDraft, undoDraft } from './edit-draft.ts';

const layoutOf = (column: string): AnnotationLayout => ({
  column,
  many: 'list',
  unit: 'pixel',
  geometry: [{ kind: 'box', fields: ['b'], form: 'xywh' }],
  label: 'c',
  score: 's',
});
const row: Record<string, unknown> = {
  truth: [
    { b: [0, 0, 10, 10], c: 'cat' },
    { b: [50, 50, 10, 10], c: 'dog' },
  ],
  found: [
    { b: [1, 0, 10, 10], c: 'cat', s: 0.9 },
    { b: [80, 80, 5, 5], c: 'cat', s: 0.2 },
    { b: [1, 2, 3], c: 'cat', s: 0.1 },
  ],
};
const cell = (name: string) => row[name];
const size = { width: 100, height: 100 };
const sets = readSets(cell, [layoutOf('truth'), layoutOf('found')], size);
const all = { hiddenSets: [], hiddenClasses: [], minScore: 0 };

test('sets are filtered by set, class and score; things without a score stay', () => {
  const shown = (filter: Partial<typeof all>) =>
    filterSets(sets, { ...all, ...filter }).map(({ annotations }) => annotations.length);
  expect([
    shown({}),
    shown({ minScore: 0.5 }),
    shown({ hiddenClasses: ['cat'] as never }),
    shown({ hiddenSets: ['truth'] as never }),
  ]).toEqual([[2, 3], [2, 1], [1, 0], [3]]);
  expect(sets.map(({ faulty }) => faulty)).toEqual([0, 1]);
});

test('the legend counts the shown sets, hidden classes too', () => {
  expect(legendOf(sets, { hiddenSets: [], hiddenClasses: ['dog'] })).toEqual([
    { label: 'cat', count: 4, isShown: true },
    { label: 'dog', count: 1, isShown: false },
  ]);
  expect([scoreRange(sets, []), scoreRange(sets, ['found'])]).toEqual([[0.1, 0.9], null]);
});

test('truth against prediction: matches, misses, false ones, and their shares', () => {
  const [truth, found] = filterSets(sets, { ...all, minScore: 0.15 });
  const compared = compareSets(truth!, found!, { minIou: 0.5, isByClass: true });
  expect(compared).toMatchObject({ matches: 1, misses: 1, falses: 1, precision: 0.5, recall: 0.5 });
  expect(compared.meanIou).toBeCloseTo(90 / 110);
  expect([
    compared.verdicts.get(verdictKey('truth', 1))?.verdict,
    compared.verdicts.get(verdictKey('found', 1))?.verdict,
  ]).toEqual(['miss', 'false']);
});

test('a draft keeps its steps, and is clean again when they are taken back', () => {
  const layout = layoutOf('truth');
  const move = (index: number, x: number, label: string) => ({
    layout,
    size,
    label,
    change: {
      kind: 'reshape' as const,
      index,
      shapes: [{ kind: 'box' as const, x, y: 0, width: 10, height: 10 }],
    },
  });
  const one = addStep(emptyDraft, cell, move(0, 5, 'Moved cat'));
  const two = addStep(one, cell, {
    layout,
    size,
    label: 'Removed dog',
    change: { kind: 'remove', indexes: [1] },
  });
  expect(draftCells(two)).toEqual({ truth: [{ b: [5, 0, 10, 10], c: 'cat' }] });
  expect([draftLabel(one), draftLabel(two)]).toEqual(['Moved cat', '2 changes to annotations']);
  expect(draftCells(undoDraft(two))).toEqual(draftCells(one));
  expect(draftCells(redoDraft(undoDraft(two)))).toEqual(draftCells(two));
  expect(isDirty(undoDraft(undoDraft(two)))).toBe(false);
  expect(addStep(emptyDraft, cell, move(0, 0, 'Nothing'))).toBe(emptyDraft);
  expect(isDirty(addStep(one, cell, move(0, 0, 'Moved back')))).toBe(false);
  expect(
    readSets(withCells(cell, draftCells(one)), [layout], size)[0]?.annotations[0]?.shapes[0],
  ).toMatchObject({ x: 5 });
});

test('pictures and masks in columns of plain bytes and of bytes with a path are found in a table', () => {
  const cell = { kind: 'image', sizeBytes: 10n, contentType: 'image/png', hash: 'h' };
  const arrow = struct({ kind: utf8(), sizeBytes: int64(), contentType: utf8(), hash: utf8() });
  const types = {
    image: 'binary',
    mask: 'binary',
    other_mask: 'struct<bytes: binary, path: utf8>',
    third_mask: 'blob',
    no_mask: 'large_binary',
  };
  const names = Object.keys(types) as (keyof typeof types)[];
  const source = createStaticSource(
    arrowRows(
      {
        _rowid: [1n],
        ...Object.fromEntries(names.map((name) => [name, [name === 'no_mask' ? null : cell]])),
      },
      { ref: 'main:1' },
      { _rowid: int64(), ...Object.fromEntries(names.map((name) => [name, arrow])) },
    ),
  );
  const columns = names.map((name) =>
    fakeColumn(name, types[name], { role: name === 'image' ? 'image' : 'mask' }),
  );
  const { layouts } = detectInTable(gridColumnsOf(columns, []), { columns }, source, source.rowAt(0));
  expect(layoutsFor(layouts, 'image').map(({ column, many }) => [column, many])).toEqual(
    names.slice(1).map((name) => [name, 'picture']),
  );
});
