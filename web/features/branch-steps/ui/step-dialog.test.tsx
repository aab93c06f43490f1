// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MergeResult } from '#shared/api/edits.ts';
import { AppError } from '#shared/api/problem.ts';
import { type BranchStep, closeBranchStep, openBranchStep } from '../../../state/branch-steps.ts';
import { clearSteps } from '../../../state/undo.ts';
import { type Answer, type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeBranch, fakeDetail, fakeSession } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { StepDialog } from './step-dialog.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;

const resultOf = (over: Partial<MergeResult> = {}): MergeResult => ({
  status: 'ready',
  base: { branch: 'main', version: 9 },
  from: { branch: 'main', version: 10 },
  into: { branch: 'fix', version: 12 },
  rows: { inserted: 1, updated: 2, deleted: 0 },
  columns: { added: [] },
  conflicts: [],
  conflictCount: 0,
  toBackfill: 0,
  ...over,
});

const conflict = { key: 'cat', kind: 'cell', column: 'gloss', base: 'a', from: 'b', into: 'c' } as const;

function open(step: BranchStep, answers: Record<string, Answer>) {
  server = fakeServer({
    session: () => fakeSession(),
    describeTable: ({ query }) => fakeDetail(query.ref === 'main' ? 'main' : 'fix'),
    ...answers,
  });
  page = renderPage(<StepDialog />, '/t/wonders');
  act(() => openBranchStep(step));
}

const rebase: BranchStep = { kind: 'rebase', table: 'wonders', branch: 'fix', onto: 'main' };
const dialog = async (name: RegExp) => within(await screen.findByRole('dialog', { name }));

beforeEach(preparePage);
afterEach(() => {
  act(closeBranchStep);
  clearSteps();
  page.close();
});

test('a rebase shows what it would do, does it at the heads it was planned for, and can be undone', async () => {
  open(rebase, {
    rebase: ({ body }) => resultOf(body.dryRun ? {} : { status: 'merged', version: 13, editId: 'r1' }),
    undo: () => ({ version: 14, changed: { inserted: 0, updated: 0, deleted: 0 }, editId: 'u1' }),
  });
  const shown = await dialog(/Bring fix up to date with main/);
  expect((await shown.findByRole('status', { name: 'Plan' })).textContent).toContain(
    'Updates 2 rows and adds 1 row on fix.',
  );
  fireEvent.click(shown.getByRole('button', { name: 'Rebase' }));
  const toast = await screen.findByText('Rebased fix onto main');
  expect(server.callsOf('rebase').at(-1)?.body).toEqual({
    branch: 'fix',
    onto: 'main',
    message: 'Rebased fix onto main',
    expected: { from: 10, into: 12 },
  });
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(within(toast.parentElement!).getByText('Undo'));
  await waitFor(() =>
    expect(server.callsOf('undo').map(({ body }) => body)).toEqual([{ branch: 'fix', editId: 'r1' }]),
  );
});

test('conflicts are settled in place before anything can land', async () => {
  open(rebase, {
    rebase: ({ body }) =>
      body.choices
        ? resultOf(body.dryRun ? {} : { status: 'merged', version: 13 })
        : resultOf({ status: 'conflicts', conflicts: [conflict], conflictCount: 1 }),
  });
  const shown = await dialog(/Bring fix up to date/);
  expect(await shown.findByText('1 conflict to settle')).toBeTruthy();
  expect(shown.getByRole('button', { name: 'Rebase' }).getAttribute('aria-disabled')).toBe('true');
  const options = within(shown.getByRole('radiogroup', { name: 'gloss of cat' }));
  fireEvent.click(options.getByRole('radio', { name: /^fix/ }));
  expect(await shown.findByText('All conflicts settled')).toBeTruthy();
  await waitFor(() =>
    expect(shown.getByRole('button', { name: 'Rebase' }).getAttribute('aria-disabled')).not.toBe('true'),
  );
  fireEvent.click(shown.getByRole('button', { name: 'Rebase' }));
  await screen.findByText('Rebased fix onto main');
  expect(server.callsOf('rebase').at(-1)?.body.choices).toEqual([
    { key: 'cat', column: 'gloss', take: 'into' },
  ]);
});

test('a typed value settles a conflict', async () => {
  open(rebase, {
    rebase: ({ body }) =>
      body.choices ? resultOf() : resultOf({ status: 'conflicts', conflicts: [conflict], conflictCount: 1 }),
  });
  const shown = await dialog(/Bring fix up to date/);
  fireEvent.click(await shown.findByRole('button', { name: 'Type another value…' }));
  fireEvent.change(shown.getByLabelText('gloss'), { target: { value: 'typed' } });
  fireEvent.click(shown.getByRole('button', { name: 'Take this value' }));
  await shown.findByText('All conflicts settled');
  await waitFor(() =>
    expect(server.callsOf('rebase').at(-1)?.body.choices).toEqual([
      { key: 'cat', column: 'gloss', value: 'typed' },
    ]),
  );
});

test('picked rows for a protected branch go onto a new one', async () => {
  open(
    { kind: 'cherry-pick', table: 'wonders', from: 'fix', into: 'main', keys: ['cat', 'dog'] },
    {
      createBranch: ({ body }) => fakeBranch(body.name),
      cherryPick: ({ body }) => resultOf(body.dryRun ? {} : { status: 'merged', version: 11, editId: 'p1' }),
    },
  );
  const shown = await dialog(/Bring 2 rows to another branch/);
  fireEvent.change(shown.getByLabelText('Name of the new branch'), { target: { value: 'two-rows' } });
  fireEvent.click(shown.getByRole('button', { name: 'Make the branch and go on' }));
  expect(await shown.findByRole('status', { name: 'Plan' })).toBeTruthy();
  fireEvent.click(shown.getByRole('button', { name: 'Bring over' }));
  await screen.findByText('Picked 2 rows from fix');
  expect(server.callsOf('createBranch').map(({ body }) => body)).toEqual([
    { name: 'two-rows', from: 'main' },
  ]);
  expect(server.callsOf('cherryPick').at(-1)?.body).toMatchObject({
    from: 'fix',
    into: 'two-rows',
    keys: ['cat', 'dog'],
  });
});

test('picked versions can go onto a new branch of main, though there is one to choose', async () => {
  open(
    { kind: 'cherry-pick', table: 'wonders', from: 'main', into: 'fix', versions: [9, 10] },
    {
      createBranch: ({ body }) => fakeBranch(body.name),
      cherryPick: ({ body }) => resultOf(body.dryRun ? {} : { status: 'merged', version: 11, editId: 'p1' }),
    },
  );
  const shown = await dialog(/Bring versions 9 and 10 to another branch/);
  await shown.findByRole('status', { name: 'Plan' });
  fireEvent.click(shown.getByRole('combobox', { name: 'Onto' }));
  fireEvent.click(await screen.findByRole('option', { name: 'A new branch from main' }));
  expect(shown.queryByRole('status', { name: 'Plan' })).toBeNull();
  fireEvent.click(shown.getByRole('button', { name: 'Make the branch and go on' }));
  await shown.findByRole('status', { name: 'Plan' });
  expect(server.callsOf('createBranch').map(({ body }) => body)).toEqual([
    { name: 'pick-on-main', from: 'main' },
  ]);
  expect(server.callsOf('cherryPick').at(-1)?.body).toMatchObject({
    into: 'pick-on-main',
    versions: [9, 10],
  });
});

test('a restore says what would change, from the comparison of the two', async () => {
  open(
    { kind: 'restore', table: 'wonders', branch: 'fix', ref: 'fix:9' },
    {
      diff: () => ({
        base: { branch: 'fix', version: 12 },
        from: { branch: 'fix', version: 9 },
        into: { branch: 'fix', version: 12 },
        mode: 'three-way',
        rows: { added: 0, removed: 1, modified: 3 },
        columns: { added: [], removed: [], changed: [], facts: [] },
        cells: {},
        conflicts: { rows: 0, cells: 0 },
        mergeable: true,
        notices: [],
      }),
      restore: () => ({ version: 13, changed: { inserted: 0, updated: 3, deleted: 1 }, editId: 's1' }),
    },
  );
  const shown = await dialog(/Restore fix/);
  expect((await shown.findByRole('status', { name: 'Plan' })).textContent).toContain(
    'Updates 3 rows and removes 1 row on fix.',
  );
  fireEvent.click(shown.getByRole('button', { name: 'Restore' }));
  await screen.findByText('Restored fix to fix:9');
  expect(server.callsOf('diff')[0]?.body).toEqual({ from: 'fix:9', into: 'fix', base: 'fix' });
  expect(server.callsOf('restore').map(({ body }) => [body.branch, body.ref])).toEqual([['fix', 'fix:9']]);
});

test('a branch that moved meanwhile is planned anew, and what fails is said', async () => {
  let tries = 0;
  open(
    { kind: 'revert', table: 'wonders', branch: 'fix', versions: [11] },
    {
      revert: ({ body }) => {
        if (body.dryRun) return resultOf({ from: { branch: 'fix', version: 11 } });
        tries += 1;
        if (tries === 1) throw new AppError({ code: 'HEAD_MOVED', message: 'fix has moved.' });
        throw new AppError({ code: 'CONFLICT', message: 'It does not go.', hint: 'Look again.' });
      },
    },
  );
  const shown = await dialog(/Revert version 11 of fix/);
  await shown.findByRole('status', { name: 'Plan' });
  fireEvent.click(shown.getByRole('button', { name: 'Revert' }));
  expect(await shown.findByText(/fix moved meanwhile/)).toBeTruthy();
  await waitFor(() =>
    expect(shown.getByRole('button', { name: 'Revert' }).getAttribute('aria-disabled')).toBeNull(),
  );
  fireEvent.click(shown.getByRole('button', { name: 'Revert' }));
  const alert = await shown.findByRole('alert');
  expect(alert.textContent).toContain('It does not go.');
  expect(alert.textContent).toContain('Look again.');
  expect(server.callsOf('revert').filter(({ body }) => !body.dryRun)[0]?.body.expected).toEqual({ into: 12 });
});
