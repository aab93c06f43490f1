// @vitest-environment jsdom
import { fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GraphVersion } from '#shared/api/history.ts';
import { AppError } from '#shared/api/problem.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import { closeBranchStep, useBranchStep } from '../../../state/branch-steps.ts';
import { runCommand } from '../../../state/commands.ts';
import { clearSteps } from '../../../state/undo.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeBranch, fakeDetail, fakeSession, fakeVersion } from '../../../testing/fixtures.ts';
import { fakeLayout } from '../../../testing/layout.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { HistoryView } from './history-view.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;
let opened: string[] = [];

const graphVersion = (version: number, over: Partial<GraphVersion> = {}): GraphVersion => ({
  ...fakeVersion(version),
  parent: { branch: over.branch ?? 'fix', version: version - 1 },
  isSourceThere: over.mergedFrom !== undefined && over.mergedFrom !== null,
  restoredTo: null,
  undoes: null,
  review: null,
  ...over,
});

const none = { inserted: 0, updated: 0, deleted: 0 };
const versions: GraphVersion[] = [
  graphVersion(12, { message: 'Fix glosses', rows: { inserted: 1, updated: 3, deleted: 0 } }),
  graphVersion(11, { kind: 'compaction', author: null, rows: none }),
  graphVersion(10, { kind: 'merge', mergedFrom: { branch: 'main', version: 10 }, review: '7' }),
  graphVersion(9, {
    branch: 'main',
    kind: 'other',
    author: null,
    parent: null,
    rows: { inserted: 5, updated: 0, deleted: 0 },
  }),
];

const graph = (over: object = {}) => ({
  versions,
  branches: [],
  tags: [],
  cursor: null,
  looked: { versions: versions.length, backTo: '2026-01-01T00:00:00Z' },
  ...over,
});

const diff = {
  base: null,
  from: { branch: 'fix', version: 12 },
  into: { branch: 'fix', version: 11 },
  mode: 'three-way',
  rows: { added: 1, removed: 0, modified: 3 },
  columns: { added: ['mood'], removed: [], changed: [], facts: [] },
  cells: { gloss: 3, views: 1 },
  conflicts: { rows: 0, cells: 0 },
  mergeable: true,
  notices: [],
};

async function open({
  detail = fakeDetail('fix'),
  refText = 'fix',
  answers = {},
}: {
  detail?: TableDetail;
  refText?: string;
  answers?: Parameters<typeof fakeServer>[0];
} = {}) {
  opened = [];
  server = fakeServer({
    session: () => fakeSession(),
    tableGraph: () => graph(),
    diff: () => diff,
    ...answers,
  });
  page = renderPage(
    <HistoryView table="wonders" detail={detail} refText={refText} onRefChange={(ref) => opened.push(ref)} />,
  );
  await screen.findAllByRole('listitem', { name: /Version/ });
}

beforeEach(() => {
  preparePage();
  fakeLayout({ width: 1000, height: 900 });
});
afterEach(() => {
  clearSteps();
  page.close();
});

const item = (ref: string) => within(screen.getByRole('listitem', { name: `Version ${ref}` }));
const act = async (ref: string, action: RegExp | string) => {
  fireEvent.pointerDown(item(ref).getByRole('button', { name: `Actions for ${ref}` }), {
    button: 0,
    ctrlKey: false,
  });
  fireEvent.click(await screen.findByRole('menuitem', { name: action }));
};

test('versions of all branches say what they did, who made them, and where they came from', async () => {
  await open();
  expect(item('fix:12').getByRole('button', { name: 'Fix glosses' })).toBeTruthy();
  expect([item('fix:12').getByText('fix'), item('fix:12').getByText('shown')].every(Boolean)).toBe(true);
  expect(item('fix:10').getByText('from main')).toBeTruthy();
  expect(
    [
      item('main:9').getByRole('button', { name: '5 rows added' }),
      item('main:9').getByText('another program'),
    ].every(Boolean),
  ).toBe(true);
  expect(screen.getByText('4 versions · all of the history')).toBeTruthy();
});

test('runs of versions that left the rows as they were are folded until they are wanted', async () => {
  await open();
  expect(screen.queryByRole('listitem', { name: 'Version fix:11' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '1 version that left the rows as they were' }));
  expect(item('fix:11').getByRole('button', { name: 'Tidied the files' })).toBeTruthy();
});

test('a chosen version says exactly what it did, and is opened and compared from there', async () => {
  await open();
  fireEvent.click(item('fix:12').getByRole('button', { name: 'Fix glosses' }));
  const detail = within(screen.getByRole('complementary', { name: 'Version' }));
  expect(await detail.findByRole('row', { name: /gloss 3/ })).toBeTruthy();
  expect([detail.getByText('column mood'), detail.getByText('3 rows')].every(Boolean)).toBe(true);
  expect(server.callsOf('diff').map(({ body }) => body)).toEqual([
    { from: 'fix:12', into: 'fix:11', base: 'fix:11' },
  ]);
  fireEvent.click(detail.getByRole('button', { name: 'Open' }));
  fireEvent.doubleClick(item('main:9').getByRole('button', { name: '5 rows added' }));
  expect(opened).toEqual(['fix', 'main:9']);
  fireEvent.click(detail.getByRole('button', { name: 'See the changes' }));
  expect(location.pathname).toBe('/t/wonders/compare/fix%3A12...fix%3A11');
});

test('the first version that is known has nothing before it', async () => {
  await open();
  fireEvent.click(item('main:9').getByRole('button', { name: '5 rows added' }));
  const detail = within(screen.getByRole('complementary', { name: 'Version' }));
  expect(detail.getByText(/nothing before it/)).toBeTruthy();
  expect(server.callsOf('diff')).toEqual([]);
  expect(
    item('main:9')
      .getByRole('button', { name: /Compare main:9/ })
      .getAttribute('aria-disabled'),
  ).toBe('true');
});

test('the merge names its other side and its review', async () => {
  await open();
  fireEvent.click(item('fix:10').getByRole('button', { name: 'Merged main' }));
  const detail = within(screen.getByRole('complementary', { name: 'Version' }));
  expect(detail.getByRole('link', { name: /main:10/ }).getAttribute('href')).toBe('/t/wonders?ref=main%3A10');
  expect(detail.getByRole('link', { name: '#7' }).getAttribute('href')).toBe('/reviews/7');
});

test('the versions are walked by keys', async () => {
  await open();
  runCommand('history.next');
  expect(await screen.findByRole('complementary', { name: 'Version' })).toBeTruthy();
  const isChosen = (ref: string, name: string) =>
    waitFor(() => expect(item(ref).getByRole('button', { name }).getAttribute('aria-pressed')).toBe('true'));
  runCommand('history.last');
  await isChosen('main:9', '5 rows added');
  runCommand('history.previous');
  await isChosen('fix:10', 'Merged main');
  runCommand('history.open');
  expect(opened).toEqual(['fix:10']);
  runCommand('history.close');
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Version' })).toBeNull());
});

test('is narrowed by words, and says how far it looked when nothing is found', async () => {
  await open({
    answers: {
      tableGraph: ({ body }) =>
        body.text
          ? graph({ versions: [], cursor: 'on', looked: { versions: 900, backTo: '2026-01-01T00:00:00Z' } })
          : graph(),
    },
  });
  fireEvent.change(screen.getByRole('searchbox', { name: 'Find in messages' }), {
    target: { value: 'lions' },
  });
  expect(await screen.findByText('No version is like that')).toBeTruthy();
  expect(server.callsOf('tableGraph').at(-1)?.body).toEqual({ text: 'lions', limit: 100 });
  expect(screen.getAllByText(/looked back to Jan 1, 2026/).length).toBeGreaterThan(0);
  fireEvent.click(screen.getByRole('button', { name: 'Show every version' }));
  expect(await screen.findByRole('listitem', { name: 'Version fix:12' })).toBeTruthy();
});

test('an error stands in its place with a way to try again', async () => {
  let isBroken = true;
  server = fakeServer({
    session: () => fakeSession(),
    tableGraph: () => {
      if (isBroken) throw new AppError({ code: 'ENGINE_CRASHED', message: 'The engine ended.' });
      return graph();
    },
  });
  page = renderPage(
    <HistoryView table="wonders" detail={fakeDetail('fix')} refText="fix" onRefChange={() => undefined} />,
  );
  expect((await screen.findByRole('alert')).textContent).toContain('The engine ended.');
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: /try again/i }));
  expect(await screen.findByRole('listitem', { name: 'Version fix:12' })).toBeTruthy();
});

test('a version is reverted, and the revert undone', async () => {
  const merged = {
    status: 'merged',
    base: null,
    from: { branch: 'fix', version: 12 },
    into: { branch: 'fix', version: 12 },
    rows: { inserted: 0, updated: 3, deleted: 0 },
    columns: { added: [] },
    conflicts: [],
    conflictCount: 0,
    toBackfill: 0,
    version: 13,
    editId: 'r1',
  };
  await open({
    answers: {
      revert: () => merged,
      undo: () => ({ version: 14, changed: { inserted: 0, updated: 3, deleted: 0 }, editId: 'u1' }),
    },
  });
  await act('fix:12', 'Revert what it did');
  const toast = await screen.findByText('Reverted version 12 on fix');
  expect(server.callsOf('revert').map(({ body }) => body)).toEqual([
    { branch: 'fix', versions: [12], message: 'Reverted version 12 on fix' },
  ]);
  fireEvent.click(within(toast.parentElement!).getByText('Undo'));
  await waitFor(() =>
    expect(server.callsOf('undo').map(({ body }) => body)).toEqual([{ branch: 'fix', editId: 'r1' }]),
  );
});

test('cells that changed again since keep a version from being reverted', async () => {
  await open({ answers: { revert: () => ({ status: 'conflicts', conflictCount: 2 }) } });
  await act('fix:12', 'Revert what it did');
  expect(await screen.findByText(/2 cells of this version changed again since/)).toBeTruthy();
});

test('a branch is restored to a version', async () => {
  await open({
    answers: {
      restore: () => ({ version: 13, changed: { inserted: 0, updated: 1, deleted: 0 }, editId: 's1' }),
    },
  });
  await act('fix:10', 'Restore fix to this version');
  expect(await screen.findByText('Restored fix to version 10')).toBeTruthy();
  expect(server.callsOf('restore').map(({ body }) => body)).toEqual([
    { branch: 'fix', ref: 'fix:10', message: 'Restored fix to version 10' },
  ]);
});

test('on a protected branch a version is taken back on a new branch, to be merged', async () => {
  const own = versions.slice(0, 1).map((version) => ({ ...version, branch: 'main' }));
  await open({
    detail: fakeDetail('main', {
      ref: { branch: 'main', version: 12 },
      branches: [fakeBranch('main', { version: 12 })],
    }),
    refText: 'main',
    answers: {
      tableGraph: () => graph({ versions: own }),
      createBranch: ({ body }) => fakeBranch(body.name),
      revert: () => ({ status: 'merged' }),
    },
  });
  await act('main:12', 'Take it back on a new branch…');
  await waitFor(() => expect(location.pathname).toBe('/t/wonders/compare/undo-version-12...main'));
  expect(server.callsOf('createBranch').map(({ body }) => body)).toEqual([
    { name: 'undo-version-12', from: 'main:12' },
  ]);
  expect(server.callsOf('revert').map(({ body }) => [body.branch, body.versions])).toEqual([
    ['undo-version-12', [12]],
  ]);
});

test('older versions come when they are wanted', async () => {
  await open({
    answers: {
      tableGraph: ({ body }) =>
        body.cursor
          ? graph({ versions: [graphVersion(8, { message: 'First' })] })
          : graph({ cursor: 'below' }),
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Show older versions' }));
  expect(await screen.findByRole('listitem', { name: 'Version fix:8' })).toBeTruthy();
  expect(server.callsOf('tableGraph').map(({ body }) => body.cursor)).toEqual([undefined, 'below']);
});

test('several versions of one branch are marked and brought over or reverted together', async () => {
  await open({
    answers: {
      tableGraph: () => graph({ versions: versions.filter(({ kind }) => kind !== 'compaction') }),
    },
  });
  fireEvent.click(item('fix:12').getByRole('checkbox', { name: 'Mark fix:12' }));
  fireEvent.click(item('fix:10').getByRole('checkbox', { name: 'Mark fix:10' }));
  const bar = within(screen.getByRole('region', { name: 'Marked versions' }));
  expect(bar.getByText('2 versions marked on fix: 10, 12')).toBeTruthy();
  fireEvent.click(bar.getByRole('button', { name: 'Revert…' }));
  expect(renderHook(useBranchStep).result.current).toEqual({
    kind: 'revert',
    table: 'wonders',
    branch: 'fix',
    versions: [10, 12],
  });
  fireEvent.click(item('main:9').getByRole('checkbox', { name: 'Mark main:9' }));
  expect(bar.getByRole('button', { name: /Bring to another branch/ }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  fireEvent.click(bar.getByRole('button', { name: 'Mark nothing' }));
  expect(screen.queryByRole('region', { name: 'Marked versions' })).toBeNull();
  closeBranchStep();
});
