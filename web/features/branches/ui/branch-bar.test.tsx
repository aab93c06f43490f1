// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeBranch, fakeDetail, fakeSession, fakeTable } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { closeBranchDialog, setBranchListOpen } from '../store.ts';
import { BranchBar } from './branch-bar.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;
let shownRef = '';

function Bar({ first, detail }: { first: string; detail: TableDetail }) {
  const [refText, setRef] = useState(first);
  shownRef = refText;
  return <BranchBar table="wonders" detail={detail} refText={refText} onRefChange={setRef} />;
}

async function open(
  refText: string,
  {
    detail = fakeDetail('fix'),
    answers = {},
  }: { detail?: TableDetail; answers?: Parameters<typeof fakeServer>[0] } = {},
) {
  server = fakeServer({
    session: () => fakeSession({ tables: [fakeTable('wonders', { branches: detail.branches })] }),
    ...answers,
  });
  page = renderPage(<Bar first={refText} detail={detail} />, '/t/wonders');
  await waitFor(() => expect(server.callsOf('session')).toHaveLength(1));
}

beforeEach(preparePage);
afterEach(() => {
  closeBranchDialog();
  setBranchListOpen(false);
  page.close();
});

const press = (key: string, more: Partial<KeyboardEventInit> = {}) =>
  fireEvent.keyDown(document.body, { key, ...more });
const combobox = () => screen.getByRole('combobox', { name: 'Branch' });

describe('the bar', () => {
  test('says how far the branch is ahead, with the way to compare', async () => {
    await open('fix');
    expect(screen.getByRole('link', { name: '3 commits ahead · Compare' }).getAttribute('href')).toBe(
      '/t/wonders/compare/fix...main',
    );
    press('c');
    expect(location.pathname).toBe('/t/wonders/compare/fix...main');
  });

  test('main is protected and compares with nothing', async () => {
    await open('main', { detail: fakeDetail('main') });
    expect(within(combobox()).getByLabelText('protected')).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
    press('c');
    expect(location.pathname).toBe('/t/wonders');
  });

  test('a past version is read-only, with the way to the newest', async () => {
    await open('fix:10', {
      detail: fakeDetail('fix', { ref: { branch: 'fix', version: 10 }, isHead: false }),
    });
    expect(combobox().textContent).toBe('fix · version 10');
    fireEvent.click(screen.getByRole('button', { name: 'Newest' }));
    expect(shownRef).toBe('fix');
  });

  test('b lists branches and tags, found by typing', async () => {
    await open('main', {
      detail: fakeDetail('main', {
        tags: [{ name: 'golden', branch: 'main', version: 4, createdAt: null, message: null }],
      }),
    });
    press('b');
    const options = await screen.findAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('main'),
      expect.stringMatching(/fix.*3 commits ahead/),
      expect.stringContaining('golden'),
    ]);
    fireEvent.click(options[2]!);
    expect(shownRef).toBe('tag:golden');
  });
});

describe('a new branch', () => {
  test('is named with care, made from where one is, and switched to', async () => {
    await open('main', {
      detail: fakeDetail('main'),
      answers: { createBranch: ({ body }) => fakeBranch(body.name, { ahead: 0 }) },
    });
    fireEvent.click(screen.getByRole('button', { name: 'New branch' }));
    const dialog = within(screen.getByRole('dialog', { name: 'New branch' }));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    fireEvent.change(name, { target: { value: 'fix' } });
    expect(dialog.getByRole('alert').textContent).toBe('There is a branch “fix” already.');
    expect(dialog.getByRole('button', { name: 'Create branch' }).getAttribute('aria-disabled')).toBe('true');
    fireEvent.change(name, { target: { value: 'ann/fix-glosses' } });
    fireEvent.submit(name.closest('form')!);
    await waitFor(() => expect(shownRef).toBe('ann/fix-glosses'));
    expect(server.callsOf('createBranch').map(({ body }) => body)).toEqual([
      { name: 'ann/fix-glosses', from: 'main' },
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server.calls.filter(({ id }) => id !== 'createBranch').map(({ id }) => id)).toEqual(['session']);
  });

  test('that cannot be made keeps what was typed', async () => {
    await open('main', {
      detail: fakeDetail('main'),
      answers: {
        createBranch: () => {
          throw new AppError({
            code: 'EXISTS',
            message: 'wonders has a branch x already.',
            hint: 'Switch to it.',
          });
        },
      },
    });
    press('B', { shiftKey: true });
    const dialog = within(await screen.findByRole('dialog', { name: 'New branch' }));
    const name = dialog.getByRole('textbox', { name: 'Name' }) as HTMLInputElement;
    fireEvent.change(name, { target: { value: 'x' } });
    fireEvent.submit(name.closest('form')!);
    expect((await dialog.findByRole('alert')).textContent).toContain('Switch to it.');
    expect(name.value).toBe('x');
  });
});

describe('branches and tags', () => {
  const manage = async () => {
    fireEvent.click(combobox());
    fireEvent.click(await screen.findByRole('button', { name: 'Branches and tags' }));
    return within(await screen.findByRole('dialog', { name: 'Branches and tags' }));
  };

  test('a branch with commits asks before it is gone', async () => {
    await open('fix', { answers: { deleteBranch: () => null } });
    const dialog = await manage();
    fireEvent.click(dialog.getByRole('button', { name: 'Delete branch fix' }));
    const ask = dialog.getByRole('alertdialog', { name: 'Delete branch fix' });
    expect(ask.textContent).toContain('3 commits of fix will be gone');
    fireEvent.click(within(ask).getByRole('button', { name: 'Delete fix' }));
    await waitFor(() => expect(server.callsOf('deleteBranch')).toHaveLength(1));
    expect(shownRef).toBe('main');
  });

  test('a branch that cannot be deleted says why', async () => {
    await open('main', {
      detail: fakeDetail('main', {
        branches: [
          fakeBranch('main'),
          fakeBranch('fix'),
          fakeBranch('sub', { parent: { branch: 'fix', version: 11 } }),
        ],
      }),
    });
    const dialog = await manage();
    const button = dialog.getByRole('button', { name: 'Delete branch fix' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(button);
    expect(server.callsOf('deleteBranch')).toHaveLength(0);
  });

  test('a tag is made with a message, and comes back by Undo when it is deleted', async () => {
    const tag = { name: 'golden', branch: 'fix', version: 12, createdAt: null, message: 'first model' };
    await open('fix', {
      detail: fakeDetail('fix', { tags: [tag] }),
      answers: { createTag: () => tag, deleteTag: () => null },
    });
    const dialog = await manage();
    fireEvent.click(dialog.getByRole('button', { name: 'Delete tag golden' }));
    const toast = await screen.findByText('Deleted tag golden');
    fireEvent.click(within(toast.parentElement!).getByText('Undo'));
    await waitFor(() =>
      expect(server.callsOf('createTag').map(({ body }) => body)).toEqual([
        { name: 'golden', ref: 'fix:12', message: 'first model' },
      ]),
    );
  });
});
