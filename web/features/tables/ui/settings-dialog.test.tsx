// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeDetail, fakeSession } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { SettingsDialog } from './settings-dialog.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;
let isClosed = false;

async function open(answers: Parameters<typeof fakeServer>[0], branches?: string[]) {
  isClosed = false;
  server = fakeServer({
    session: () => fakeSession(),
    describeTable: () => fakeDetail('main', { key: [], description: 'Birds' }),
    ...answers,
  });
  page = renderPage(
    <SettingsDialog
      table="wonders"
      branches={branches}
      onClose={() => {
        isClosed = true;
      }}
    />,
  );
  await screen.findByRole('textbox', { name: 'Description' });
  return within(screen.getByRole('dialog', { name: 'Table settings' }));
}

beforeEach(preparePage);
afterEach(() => page.close());

test('a key is declared on main and on the branches that are to be merged', async () => {
  const dialog = await open({ patchTable: () => fakeDetail('main') }, ['fix', 'main']);
  expect(dialog.getAllByRole('checkbox').map((box) => box.parentElement?.textContent)).toEqual([
    'id utf8',
    'gloss utf8',
    'views int64',
    'taken timestamp[us, UTC]',
  ]);
  fireEvent.click(dialog.getByRole('checkbox', { name: 'id utf8' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(isClosed).toBe(true));
  expect(server.callsOf('patchTable').map(({ body }) => body)).toEqual([
    { branch: 'main', key: ['id'] },
    { branch: 'fix', key: ['id'] },
  ]);
});

test('a key that cannot be says why and keeps the choice', async () => {
  const dialog = await open({
    patchTable: () => {
      throw new AppError({
        code: 'BAD_REQUEST',
        message: '3 rows have the same gloss.',
        hint: 'Add a column to the key.',
      });
    },
  });
  fireEvent.click(dialog.getByRole('checkbox', { name: 'gloss utf8' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect((await dialog.findByRole('alert')).textContent).toContain(
    '3 rows have the same gloss.Add a column to the key.',
  );
  expect([
    dialog.getByRole('checkbox', { name: 'gloss utf8' }).getAttribute('aria-checked'),
    isClosed,
  ]).toEqual(['true', false]);
});

test('nothing changed is nothing asked', async () => {
  const dialog = await open({});
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect([isClosed, server.callsOf('patchTable')]).toEqual([true, []]);
});
