// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TableDetail, VersionInfo } from '#shared/api/tables.ts';
import { clearSteps } from '../../../state/undo.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeBranch, fakeDetail, fakeSession, fakeVersion } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { HistoryView } from './history-view.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;
let opened: string[] = [];

const versions: VersionInfo[] = [
  fakeVersion(12, { message: 'Fix glosses', rows: { inserted: 1, updated: 3, deleted: 0 } }),
  fakeVersion(11, { kind: 'compaction', author: null, rows: { inserted: 0, updated: 0, deleted: 0 } }),
  fakeVersion(10, { kind: 'merge', mergedFrom: { branch: 'main', version: 10 } }),
  fakeVersion(9, {
    branch: 'main',
    kind: 'other',
    author: null,
    rows: { inserted: 5, updated: 0, deleted: 0 },
  }),
];

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
    history: () => ({ ref: detail.ref, versions, isComplete: true }),
    ...answers,
  });
  page = renderPage(
    <HistoryView table="wonders" detail={detail} refText={refText} onRefChange={(ref) => opened.push(ref)} />,
  );
  await screen.findByRole('listitem', { name: 'Version 12' });
}

beforeEach(preparePage);
afterEach(() => {
  clearSteps();
  page.close();
});

const item = (version: number) => within(screen.getByRole('listitem', { name: `Version ${version}` }));
const act = async (version: number, action: RegExp | string) => {
  fireEvent.pointerDown(item(version).getByRole('button', { name: `Actions for version ${version}` }), {
    button: 0,
    ctrlKey: false,
  });
  fireEvent.click(await screen.findByRole('menuitem', { name: action }));
};

test('versions say what they did, who made them, and where they came from', async () => {
  await open();
  expect(item(12).getByRole('button', { name: 'Fix glosses' })).toBeTruthy();
  expect([item(12).getByText('newest'), item(12).getByText('shown')].every(Boolean)).toBe(true);
  expect(item(10).getByRole('link', { name: 'from main, version 10' }).getAttribute('href')).toBe(
    '/t/wonders?ref=main%3A10',
  );
  expect(
    [item(9).getByRole('button', { name: '5 rows added' }), item(9).getByText('another program')].every(
      Boolean,
    ),
  ).toBe(true);
  expect(screen.queryByRole('listitem', { name: 'Version 11' })).toBeNull();
  fireEvent.click(screen.getByRole('switch', { name: /Show 1 version that left the rows/ }));
  expect(item(11).getByRole('button', { name: 'Tidied the files' })).toBeTruthy();
});

test('a version is opened, and compared with the one before', async () => {
  await open();
  fireEvent.click(item(12).getByRole('button', { name: 'Open' }));
  fireEvent.click(item(9).getByRole('button', { name: 'Open' }));
  expect(opened).toEqual(['fix', 'main:9']);
  fireEvent.click(item(12).getByRole('button', { name: 'Compare version 12 with the one before' }));
  expect(location.pathname).toBe('/t/wonders/compare/fix%3A12...fix%3A11');
  expect(
    item(9)
      .getByRole('button', { name: /Compare version 9/ })
      .getAttribute('aria-disabled'),
  ).toBe('true');
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
  await act(12, 'Revert what it did');
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
  await act(12, 'Revert what it did');
  expect(await item(12).findByText(/2 cells of this version changed again since/)).toBeTruthy();
});

test('a branch is restored to a version', async () => {
  await open({
    answers: {
      restore: () => ({ version: 13, changed: { inserted: 0, updated: 1, deleted: 0 }, editId: 's1' }),
    },
  });
  await act(10, 'Restore fix to this version');
  expect(await screen.findByText('Restored fix to version 10')).toBeTruthy();
  expect(server.callsOf('restore').map(({ body }) => body)).toEqual([
    { branch: 'fix', ref: 'fix:10', message: 'Restored fix to version 10' },
  ]);
});

test('on a protected branch a version is taken back on a new branch, to be merged', async () => {
  const own = versions.map((version) => ({ ...version, branch: 'main' }));
  await open({
    detail: fakeDetail('main', {
      ref: { branch: 'main', version: 12 },
      branches: [fakeBranch('main', { version: 12 })],
    }),
    refText: 'main',
    answers: {
      history: () => ({ ref: { branch: 'main', version: 12 }, versions: own, isComplete: true }),
      createBranch: ({ body }) => fakeBranch(body.name),
      revert: () => ({ status: 'merged' }),
    },
  });
  await act(12, 'Take it back on a new branch…');
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
      history: ({ query }) =>
        query.before
          ? {
              ref: { branch: 'fix', version: 12 },
              versions: [fakeVersion(8, { message: 'First' })],
              isComplete: true,
            }
          : { ref: { branch: 'fix', version: 12 }, versions, isComplete: false },
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Show older versions' }));
  expect(await screen.findByRole('listitem', { name: 'Version 8' })).toBeTruthy();
  expect(server.callsOf('history').map(({ query }) => query.before)).toEqual([undefined, '9']);
});
