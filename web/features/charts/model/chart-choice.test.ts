import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChartChoice,
  chartKinds,
  fitChoice,
  formatChart,
  measures,
  parseChart,
  planFirstChart,
  timeUnits,
  whyNotDrawn,
} from './chart-choice.ts';
import { chartColumnsOf, chartColumnsOfResult } from './chart-columns.ts';
import { fileNameOf, rowsAsCsv } from './export-chart.ts';

const name = fc.option(fc.string({ minLength: 1, maxLength: 12 }));
const choices: fc.Arbitrary<ChartChoice> = fc.record({
  kind: fc.constantFrom(...chartKinds),
  x: name,
  y: name,
  color: name,
  measure: fc.constantFrom(...measures),
  unit: fc.constantFrom(...timeUnits),
});

test('a chart in an address is read back as it was', () => {
  fc.assert(
    fc.property(choices, (choice) => {
      expect(parseChart(formatChart(choice))).toEqual(choice);
    }),
  );
  expect(parseChart('pie;x:a')).toBeNull();
  expect(parseChart(null)).toBeNull();
});

const columns = chartColumnsOf([
  { name: 'n', type: 'int64' },
  { name: 'at', type: 'timestamp[us, UTC]' },
  { name: 'label', type: 'dictionary<int8, utf8>' },
  { name: 'vec', type: 'fixed_size_list<float32>[3]' },
  { name: '_key', type: 'int64', hidden: true },
]);

test('columns that cannot be drawn are left out', () => {
  expect(columns.map(({ name: of, kind }) => [of, kind])).toEqual([
    ['n', 'number'],
    ['at', 'time'],
    ['label', 'category'],
  ]);
  expect(
    chartColumnsOfResult([
      { name: 'a', type: 'BIGINT' },
      { name: 'b', type: 'DECIMAL(18,3)' },
      { name: 'c', type: 'TIMESTAMP WITH TIME ZONE' },
      { name: 'd', type: 'VARCHAR' },
      { name: 'e', type: 'INTEGER[]' },
      { name: 'f', type: 'STRUCT(a INTEGER)' },
      { name: 'g', type: 'INTERVAL' },
    ]).map(({ kind }) => kind),
  ).toEqual(['number', 'number', 'time', 'category']);
});

test('every kind of chart is filled with columns that it takes, or says what it needs', () => {
  for (const kind of chartKinds) {
    const fitted = fitChoice({ ...planFirstChart(columns), kind }, columns);
    expect(whyNotDrawn(fitted)).toBeNull();
    const none = fitChoice({ ...planFirstChart([]), kind }, []);
    expect(whyNotDrawn(none)).toMatch(/^It needs/);
  }
});

test('a chart of a result begins with its numbers', () => {
  expect(formatChart(planFirstChart(columns, 'sum'))).toBe('bar;x:label;y:n;m:sum');
  expect(formatChart(planFirstChart(columns.slice(1), 'sum'))).toBe('bar;x:label');
});

test('what is drawn leaves as CSV with readable names', () => {
  expect(
    rowsAsCsv(
      [
        { x: 'a,"b"', v: 1, kinds: 2 },
        { x: null, v: 2.5, kinds: 2 },
      ],
      { x: 'label', v: 'rows' },
    ),
  ).toBe('label,rows\r\n"a,""b""",1\r\n,2.5\r\n');
  expect(rowsAsCsv([{ x: 0, v: 1 }], { x: 'at', v: 'rows' }, ['x'])).toBe(
    'at,rows\r\n1970-01-01T00:00:00.000Z,1\r\n',
  );
  expect(fileNameOf('Bars: mean of delay by origin')).toBe('bars-mean-of-delay-by-origin');
});
