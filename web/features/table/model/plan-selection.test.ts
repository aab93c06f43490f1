import { expect, test } from 'vitest';
import { compileFilter } from '#shared/sql/filter.ts';
import { allSelected, emptySelection, selectRows } from '../../../state/selection.ts';
import { planEditSelection, planOthers } from './plan-selection.ts';

const three = selectRows(emptySelection, ['1', '2', '3'], true);
const allButOne = selectRows(allSelected, ['7'], false);
const where = 'n > 1 or n is null';
const columns = [{ name: 'n', type: 'int64' }];

test('an edit names the selection as briefly as it can', () => {
  expect([
    planEditSelection(three, where),
    planEditSelection(allSelected, undefined),
    planEditSelection(allSelected, where),
    planEditSelection(allButOne, where),
  ]).toEqual([
    { ids: ['1', '2', '3'] },
    { all: true },
    { where },
    { where: `(${where}) and _rowid not in (7)` },
  ]);
});

test('the others are what is left, also where the predicate is null', () => {
  expect([
    planOthers(three, where),
    planOthers(allSelected, undefined),
    planOthers(allSelected, where),
    planOthers(allButOne, where),
    planOthers(emptySelection, where),
  ]).toEqual([
    '_rowid not in (1, 2, 3)',
    null,
    `(${where}) is not true`,
    `(${where}) is not true or _rowid in (7)`,
    null,
  ]);
});

test('what is planned is a filter that the engines take', () => {
  for (const text of [
    planOthers(allButOne, where),
    planOthers(three, where),
    `(${where}) and _rowid not in (7)`,
  ]) {
    expect(() => compileFilter({ text: text ?? '', columns })).not.toThrow();
  }
});
