// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import type { ArrowRows } from '../../../api/index.ts';
import { arrowRows } from '../../../testing/arrow-rows.ts';
import { fakeLayout } from '../../../testing/layout.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import type { DrawInput } from '../draw-chart.ts';
import type { ChartQuery } from '../queries.ts';
import { ChartPanel } from './chart-panel.tsx';

const seen = vi.hoisted(() => ({ drawn: [] as DrawInput[], cleared: 0 }));
vi.mock('../draw-chart.ts', () => ({
  drawChart: async (input: DrawInput) => {
    seen.drawn.push(input);
    return {
      png: async () => 'data:image/png;base64,AAAA',
      svg: async () => '<svg/>',
      resize: () => undefined,
      clear: () => {
        seen.cleared += 1;
        input.onBrush(null);
      },
      remove: () => undefined,
    };
  },
}));

beforeAll(() => {
  fakeLayout({ width: 900, height: 600 });
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});
beforeEach(() => {
  seen.drawn = [];
  seen.cleared = 0;
});
afterEach(cleanup);

const columns = [
  { name: 'label', kind: 'category', isWhole: false },
  { name: 'size', kind: 'number', isWhole: true },
  { name: 'at', kind: 'time', isWhole: false },
] as const;

const bars = (values: Record<string, number>): ArrowRows =>
  arrowRows({
    x: Object.keys(values),
    c: Object.keys(values).map(() => null),
    v: Object.values(values),
    n: Object.values(values),
    total: Object.values(values),
    kinds: Object.values(values).map(() => Object.keys(values).length),
  });
const range = (rows: number): ArrowRows =>
  arrowRows({ n: [rows], x_least: [0], x_most: [90], y_least: [0], y_most: [90] });
const isRange = (sql: string): boolean => sql.includes('x_least');

const answers: ChartQuery = async (sql) =>
  isRange(sql)
    ? range(100)
    : sql.includes('kinds')
      ? bars({ cat: 60, 'a "b", c': 40 })
      : arrowRows({ x: [0, 10], c: [null, null], v: [70, 30], n: [70, 30] });

let address: string | null;
let kept: string[] = [];
function Harness({ query = answers, start = null }: { query?: ChartQuery; start?: string | null }) {
  const [chart, setChart] = useState(start);
  address = chart;
  return (
    <ChartPanel
      sourceKey="clips@main:1"
      relation={{ from: '"clips"', where: undefined, columns }}
      query={query}
      chart={chart}
      onChart={setChart}
      onFilter={(found) => {
        kept = found;
      }}
    />
  );
}

const scope = () =>
  screen.getByRole('status', { name: 'Scope of the chart' }).textContent?.replaceAll('\u2009', ' ');
const drawnAs = () => JSON.stringify(seen.drawn.at(-1)?.spec);
const choose = async (label: string, option: string) => {
  fireEvent.keyDown(screen.getByRole('combobox', { name: label }), { key: 'ArrowDown' });
  fireEvent.keyDown(await screen.findByRole('option', { name: option }), { key: 'Enter' });
};

test('a new chart begins with the values of the first column, and says what it covers', async () => {
  renderApp(<Harness />);
  await screen.findByRole('img', { name: /label/ });
  await waitFor(() => expect(scope()).toContain('all 2 values'));
  expect(scope()).toContain('all 100 rows');
  expect(address).toBeNull();
});

test('choices go into the address, and the address gives the same chart again', async () => {
  renderApp(<Harness />);
  await waitFor(() => expect(seen.drawn).toHaveLength(1));
  await choose('Kind of chart', 'Histogram');
  await choose('Across', 'size');
  await waitFor(() => expect(address).toBe('histogram;x:size'));
  await screen.findByRole('img', { name: /size/ });
  await waitFor(() => expect(scope()).toContain('exact'));
  const before = drawnAs();
  cleanup();
  renderApp(<Harness start="histogram;x:size" />);
  await waitFor(() => expect(scope()).toContain('exact'));
  await waitFor(() => expect(drawnAs()).toBe(before));
  expect(screen.getByRole('combobox', { name: 'Across' }).textContent).toBe('size');
});

test('bars that are picked become a filter, and the brush is taken away', async () => {
  renderApp(<Harness />);
  await waitFor(() => expect(seen.drawn).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'Keep only these rows' })).toBeNull();
  seen.drawn[0]!.onBrush({ kind: 'values', values: ['cat', 'null'] });
  fireEvent.click(await screen.findByRole('button', { name: 'Keep only these rows' }));
  expect(kept).toEqual(["label = 'cat' or label is null"]);
  expect(seen.cleared).toBe(1);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep only these rows' })).toBeNull());
});

test('a chart leaves as a specification with its data, and as the rows that are drawn', async () => {
  const saved = new Map<string, Blob>();
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => undefined }),
  );
  const create = vi.spyOn(URL, 'createObjectURL');
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
    const blob = create.mock.lastCall?.[0];
    if (blob instanceof Blob && this.href.startsWith('blob:')) saved.set(this.download, blob);
  });
  renderApp(<Harness />);
  await waitFor(() => expect(seen.drawn).toHaveLength(1));
  const save = async (item: RegExp) => {
    fireEvent.keyDown(screen.getByRole('button', { name: 'Export' }), { key: 'Enter' });
    const before = names.length;
    fireEvent.click(within(await screen.findByRole('menu')).getByRole('menuitem', { name: item }));
    await waitFor(() => expect(names).toHaveLength(before + 1));
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  };
  await save(/rows that are drawn/);
  await save(/specification/);
  await save(/Picture/);
  await save(/Drawing/);
  expect(names.map((name) => name.replace(/^[^.]+/, ''))).toEqual(['.csv', '.vl.json', '.png', '.svg']);
  const [csv, spec] = await Promise.all([...saved.values()].map((blob) => blob.text()));
  expect(csv?.split('\r\n').slice(1, 3)).toEqual(['cat,60,60', '"a ""b"", c",40,40']);
  expect(JSON.parse(spec ?? '')).toMatchObject({
    $schema: expect.stringContaining('vega-lite'),
    data: {
      values: [
        { x: 'cat', v: 60 },
        { x: 'a "b", c', v: 40 },
      ],
    },
  });
  vi.restoreAllMocks();
});

test('what takes long can be stopped, and taken up again', async () => {
  let isSlow = true;
  const query: ChartQuery = (sql, signal) =>
    isSlow
      ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      : answers(sql, signal);
  renderApp(<Harness query={query} />);
  await waitFor(() => expect(scope()).toBe('computing…'));
  fireEvent.click(await screen.findByRole('button', { name: 'Stop' }, { timeout: 3000 }));
  await waitFor(() => expect(scope()).toBe('stopped before it was drawn'));
  isSlow = false;
  fireEvent.click(screen.getByRole('button', { name: 'Draw it' }));
  await waitFor(() => expect(scope()).toContain('all 100 rows'));
});

test('an error says why, and a chart without fitting columns what it needs', async () => {
  renderApp(
    <Harness
      query={async () => {
        throw new AppError({ code: 'MEMORY', message: 'The statement needs more memory.' });
      }}
    />,
  );
  expect((await screen.findByRole('alert')).textContent).toContain('The statement needs more memory.');
  cleanup();
  renderApp(
    <ChartPanel
      sourceKey="none"
      relation={{ from: '"none"', where: undefined, columns: [] }}
      query={answers}
      chart="box"
      onChart={() => undefined}
    />,
  );
  expect(await screen.findByText(/It needs a column of values across/)).toBeTruthy();
});
