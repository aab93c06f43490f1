// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { FacetsAnswer } from '#shared/api/facets.ts';
import { AppError, formatProblem } from '#shared/api/problem.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import type { Condition } from '../../../state/table-view.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeLayout } from '../../../testing/layout.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import { FacetRail } from './facet-rail.tsx';

const bars = (all: number[]) => ({ all, kept: all, inside: all, marked: null });
const answer = (rows: number, matching: number): FacetsAnswer => ({
  ref: { branch: 'main', version: 1 },
  rows,
  counted: rows,
  isSample: false,
  matching,
  marked: null,
  facets: [
    {
      column: 'size',
      kind: 'whole',
      bins: { kind: 'ordered', edges: [0, 1, 2, 3, 4], bars: [0, 1, 2, 3], values: [] },
      distinct: null,
      ...bars([10, 20, 30, 40, 5, 0, 0, 0]),
    },
    {
      column: 'label',
      kind: 'text',
      bins: { kind: 'values', edges: [], bars: [0, 1], values: ['cat', 'dog'] },
      distinct: 2,
      ...bars([60, 45, 0, 0, 0, 0]),
    },
  ],
  skipped: [],
  cube: {
    column: 'size',
    others: [
      {
        column: 'label',
        width: 6,
        prefix: [
          0, 0, 0, 0, 0, 0, 9, 1, 0, 0, 0, 0, 9, 21, 0, 0, 0, 0, 29, 31, 0, 0, 0, 0, 55, 45, 0, 0, 0, 0, 60,
          45, 0, 0, 0, 0, 60, 45, 0, 0, 0, 0, 60, 45, 0, 0, 0, 0, 60, 45, 0, 0, 0, 0,
        ],
      },
    ],
    totals: [0, 10, 30, 60, 100, 105, 105, 105, 105],
  },
  elapsedMs: 1,
});

let last: Condition[] = [];
function Rail({ rows = 105, start = [] }: { rows?: number; start?: Condition[] }) {
  const [conditions, setConditions] = useState<Condition[]>(start);
  return (
    <FacetRail
      table="clips"
      detail={{ rows } as TableDetail}
      refText="main:1"
      columns={['size', 'label']}
      conditions={conditions}
      hasSearch={false}
      glyphOf={() => null}
      onConditions={(next) => {
        last = next;
        setConditions(next);
      }}
      onClose={() => undefined}
    />
  );
}

let server: FakeServer;
const open = (
  props: Parameters<typeof Rail>[0] = {},
  reply: (body: never) => unknown = () => answer(105, 105),
) => {
  server = fakeServer({
    facets: ({ body }) => reply(body as never),
    facetsLive: async function* ({ body }) {
      yield { progress: { done: 0, total: 100, message: 'Reading size' } };
      yield { answer: await reply(body as never) };
    },
  });
  last = [];
  renderApp(<Rail {...props} />);
};
beforeAll(() => fakeLayout({ width: 400, height: 600 }));
afterEach(cleanup);

test('choosing values makes one condition, and unchoosing takes it away', async () => {
  open({ start: [{ sql: 'size > 0' }] });
  fireEvent.click(await screen.findByRole('checkbox', { name: /cat/ }));
  expect(last).toEqual([{ sql: 'size > 0' }, { sql: "label = 'cat'" }]);
  fireEvent.click(screen.getByRole('checkbox', { name: /dog/ }));
  expect(last).toEqual([{ sql: 'size > 0' }, { sql: "label in ('cat', 'dog')" }]);
  fireEvent.click(screen.getByRole('button', { name: 'Clear label' }));
  expect(last).toEqual([{ sql: 'size > 0' }]);
});

test('keys brush a distribution, and null is a bin of its own', async () => {
  open();
  const slider = await screen.findByRole('slider', { name: 'Brush size' });
  fireEvent.keyDown(slider, { key: 'ArrowRight' });
  expect(last).toEqual([{ sql: 'size = 0' }]);
  fireEvent.keyDown(slider, { key: 'ArrowRight', shiftKey: true });
  expect(last).toEqual([{ sql: 'size between 0 and 1' }]);
  fireEvent.keyDown(slider, { key: 'End' });
  expect(last).toEqual([{ sql: 'size between 2 and 3' }]);
  await waitFor(() => expect(slider.getAttribute('aria-valuetext')).toBe('2 to 3, 70 rows'));
  fireEvent.keyDown(slider, { key: 'Escape' });
  expect(last).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: '5 null' }));
  expect(last).toEqual([{ sql: 'size is null' }]);
});

test('while a brush moves the others follow from the cube, without asking', async () => {
  open();
  const slider = await screen.findByRole('slider', { name: 'Brush size' });
  fireEvent.pointerEnter(slider.closest('section')!);
  await waitFor(() => expect(server.callsOf('facets').some(({ body }) => body.active === 'size')).toBe(true));
  slider.getBoundingClientRect = () => ({ left: 0, width: 400, top: 0, height: 52 }) as DOMRect;
  Object.defineProperty(slider, 'clientWidth', { value: 400 });
  slider.setPointerCapture = () => undefined;
  slider.releasePointerCapture = () => undefined;
  slider.hasPointerCapture = () => true;
  const asked = server.callsOf('facets').length;
  fireEvent.pointerDown(slider, { button: 0, clientX: 110 });
  fireEvent.pointerMove(slider, { clientX: 290 });
  await waitFor(() => expect(screen.getByRole('checkbox', { name: /cat, 20 rows of 60/ })).toBeTruthy());
  expect(screen.getByRole('status', { name: 'Scope of the facets' }).textContent).toContain(
    '50 of 105 rows match',
  );
  expect(server.callsOf('facets').length).toBe(asked);
  fireEvent.pointerUp(slider, { clientX: 290 });
  expect(last).toEqual([{ sql: 'size between 1 and 2' }]);
});

test('large tables show a stated sample until all rows are counted', async () => {
  let finish = () => {};
  const all = new Promise<void>((resolve) => {
    finish = resolve;
  });
  open({ rows: 10_000_000 }, async (body: { sample?: number }) => {
    if (body.sample) return { ...answer(10_000_000, 200_000), counted: 200_000, isSample: true };
    await all;
    return answer(10_000_000, 10_000_000);
  });
  const scope = await screen.findByRole('status', { name: 'Scope of the facets' });
  await waitFor(() =>
    expect(scope.textContent?.replaceAll('\u2009', ' ')).toContain('a sample of 200 000 of 10 000 000'),
  );
  finish();
  await waitFor(() => expect(scope.textContent?.replaceAll('\u2009', ' ')).toContain('all 10 000 000 rows'));
});

test('counting all rows says how far it is, can be stopped, and taken up again', async () => {
  open({ rows: 10_000_000 }, (body: { sample?: number }) =>
    body.sample
      ? { ...answer(10_000_000, 200_000), counted: 200_000, isSample: true }
      : answer(10_000_000, 10_000_000),
  );
  server.set('facetsLive', async function* () {
    yield { progress: { done: 21, total: 50, message: 'Reading size' } };
    await new Promise(() => {});
  });
  const scope = await screen.findByRole('status', { name: 'Scope of the facets' });
  const said = () => scope.textContent?.replaceAll('\u2009', ' ');
  await waitFor(() => expect(said()).toContain('counting all, 42 %…'));
  expect(screen.getByRole('progressbar', { name: 'Counting all rows' }).getAttribute('aria-valuenow')).toBe(
    '21',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(said()).toContain('not all rows were counted'));
  fireEvent.click(await screen.findByRole('checkbox', { name: /cat/ }));
  await waitFor(() => expect(server.callsOf('facets').at(-1)?.body.conditions).toEqual(["label = 'cat'"]));
  expect(server.callsOf('facetsLive')).toHaveLength(1);
  server.set('facetsLive', () => [{ answer: answer(10_000_000, 10_000_000) }]);
  fireEvent.click(screen.getByRole('button', { name: 'Count all rows' }));
  await waitFor(() => expect(said()).toContain('all 10 000 000 rows'));
  expect(screen.queryByRole('button', { name: 'Count all rows' })).toBeNull();
});

test('a large table that cannot be counted says why', async () => {
  open({ rows: 10_000_000 }, () => ({ ...answer(10_000_000, 200_000), counted: 200_000, isSample: true }));
  const problem = formatProblem(new AppError({ code: 'MEMORY', message: 'There is no room.' }));
  server.set('facetsLive', () => [{ problem }]);
  expect((await screen.findByRole('alert')).textContent).toContain('There is no room.');
});

test('what cannot be counted says why', async () => {
  open({}, () => {
    throw new AppError({
      code: 'SQL_BIND',
      message: 'There is no column “sise”.',
      hint: 'Did you mean “size”?',
    });
  });
  expect((await screen.findByRole('alert')).textContent).toContain('There is no column “sise”.');
});
