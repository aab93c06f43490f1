import { expect, test } from 'vitest';
import type { SqlPlan } from '#shared/api/sql.ts';
import { type PlanStep, parsePlanTree } from './explain-tree.ts';

const node = (type: string, info: object, children: object[] = [], more: object = {}) => ({
  operator_type: type,
  operator_name: type,
  operator_timing: 0.001,
  operator_cardinality: 3,
  operator_rows_scanned: 0,
  extra_info: info,
  children,
  ...more,
});

const table = (name: string, columns: string[]) =>
  ({ name, columns }) as unknown as SqlPlan['tables'][number];

const outline = (steps: readonly PlanStep[]): unknown[] =>
  steps.map(({ title, children }) => (children.length === 0 ? title : [title, ...outline(children)]));

test('a plan that ran becomes steps in words, with their share of the time', () => {
  const scan = (columns: string | string[]) =>
    node(
      'TABLE_SCAN',
      {
        Table: 'memory.main.curio_columns_0',
        Projections: columns,
        Filters: 'iso>100',
        'Estimated Cardinality': '43',
      },
      [],
      { operator_rows_scanned: 218 },
    );
  const plan = {
    latency: 0.02,
    system_peak_buffer_memory: 4096,
    children: [
      node('EXPLAIN_ANALYZE', {}, [
        node('TOP_N', { Top: '3', 'Order By': 'count_star() DESC' }, [
          node('PROJECTION', { Projections: ['__internal_decompress_string(#0)', '#1'] }, [
            node('HASH_GROUP_BY', { Groups: '#0', Aggregates: 'count_star()' }, [
              node('PROJECTION', { Projections: '__internal_compress_string_ubigint(#0)' }, [
                node('PROJECTION', { Projections: 'category' }, [
                  node('HASH_JOIN', { Conditions: 'id = id' }, [scan('category'), scan(['id', 'label'])]),
                ]),
              ]),
            ]),
          ]),
        ]),
      ]),
    ],
  };
  const tree = parsePlanTree(JSON.stringify(plan), [
    table('wonders', ['category']),
    table('clips@exp', ['id', 'label']),
  ]);
  expect(outline(tree.steps)).toEqual([
    [
      'First 3 by count_star() DESC',
      ['Group by category', ['Compute columns', ['Join on id = id', 'Read wonders', 'Read clips@exp']]],
    ],
  ]);
  expect([tree.elapsedMs, tree.peakBytes, Number(tree.steps[0]?.share.toFixed(3))]).toEqual([
    20, 4096, 0.167,
  ]);
  const read = tree.steps[0]?.children[0]?.children[0]?.children[0]?.children[0];
  expect(read).toMatchObject({
    rows: 3,
    estimatedRows: 43,
    scannedRows: 218,
    details: [{ name: 'Projections' }, { name: 'Filters', values: ['iso>100'] }],
  });
});
