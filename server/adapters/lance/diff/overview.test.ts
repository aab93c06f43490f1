import { describe, expect, test } from 'vitest';
import { branchTables, context } from '../../../testing/branched-table.ts';

const t = branchTables();
const ids = Array.from({ length: 40 }, (_, index) => index);

const id = { type: 'int64', values: ids.map(BigInt), metadata: { 'curio:key': '1' } };

const overview = async () => t.diff.overview(await t.sides(), context);
const keysWhere = async (more: Record<string, unknown>) =>
  (await t.changed(more)).map(({ _key }) => Number(_key));

describe('overview', () => {
  test('finds equal changes over all changed rows, says how columns moved, and opens each group', async () => {
    await t.start({
      id,
      label: { values: ids.map((id) => (id % 2 === 0 ? 'cat' : 'dog')), type: 'utf8' },
      weight: { values: ids.map((id) => id / 2), type: 'float64' },
    });
    await t.exp.update({ where: `label = 'cat' and id < 30`, values: { label: 'kitty' } });
    await t.exp.update({ where: 'id >= 30', valuesSql: { weight: 'weight + 100' } });
    await t.exp.delete('id = 4');
    const found = await overview();
    expect(found.groups).toEqual([
      { change: { column: 'label', before: 'cat', after: 'kitty' }, rows: 14 },
      { change: { column: 'weight', delta: '100' }, rows: 10 },
    ]);
    expect(found.groupCount).toBe(2);
    expect(found.shifts.label).toMatchObject({
      kind: 'values',
      cells: 14,
      values: [
        { text: 'cat', before: 14, after: 0 },
        { text: 'kitty', before: 0, after: 14 },
      ],
    });
    expect(found.shifts.weight).toMatchObject({ kind: 'histogram', low: 15, high: 119.5, cells: 10 });
    const opened = await Promise.all(found.groups.map(({ change }) => keysWhere({ equal: change })));
    expect(opened).toEqual([
      ids.filter((id) => id % 2 === 0 && id < 30 && id !== 4),
      ids.filter((id) => id >= 30),
    ]);
    expect(await keysWhere({ keys: [4, '31', 39], change: ['modified'] })).toEqual([31, 39]);
  });

  test('of a branch that changed nothing is empty', async () => {
    await t.start({ id });
    expect(await overview()).toMatchObject({ shifts: {}, groups: [], groupCount: 0, ungrouped: [] });
    await expect(t.changed({ equal: { column: 'nothing', delta: '1' } })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});
