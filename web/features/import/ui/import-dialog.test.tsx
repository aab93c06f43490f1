// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError, formatProblem } from '#shared/api/problem.ts';
import { fakeEvents } from '../../../testing/fake-events.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeUploads } from '../../../testing/fake-upload.ts';
import { fakeSession } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { resetJobs, useLiveJobs } from '../../jobs/index.ts';
import { emptyDraft } from '../model.ts';
import { importStore, openImport } from '../store.ts';
import { DropZone } from './drop-zone.tsx';
import { ImportDialog } from './import-dialog.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;
let uploads: ReturnType<typeof fakeUploads>;

const Watched = () => <output data-testid="jobs">{Object.keys(useLiveJobs()).join(' ')}</output>;

async function open(answers: Parameters<typeof fakeServer>[0] = {}) {
  server = fakeServer({ session: () => fakeSession(), getJob: () => new Promise(() => {}), ...answers });
  uploads = fakeUploads();
  fakeEvents();
  page = renderPage(
    <>
      <ImportDialog />
      <DropZone />
      <Watched />
    </>,
  );
  act(() => openImport());
  await waitFor(() => expect(server.callsOf('session')).toHaveLength(1));
}

beforeEach(preparePage);
afterEach(() => {
  act(() =>
    importStore.setState({
      isOpen: false,
      draft: emptyDraft,
      error: null,
      uploads: [],
      failed: [],
      draftsByJob: {},
    }),
  );
  resetJobs();
  page.close();
});

const dialog = () => within(screen.getByRole('dialog', { name: 'Import' }));
const submit = () => fireEvent.click(dialog().getByRole('button', { name: 'Import' }));
const nameField = () => dialog().getByRole('textbox', { name: 'Name' }) as HTMLInputElement;
const choose = (...names: string[]) =>
  fireEvent.change(dialog().getByLabelText('Files'), {
    target: { files: names.map((name) => new File(['id;name\n1;owl'], name)) },
  });

test('a file names the table, travels with its options, and becomes a job', async () => {
  await open();
  choose('my birds.csv');
  expect(nameField().value).toBe('my_birds');
  fireEvent.change(dialog().getByRole('textbox', { name: 'Key column (optional)' }), {
    target: { value: 'id' },
  });
  fireEvent.change(dialog().getByRole('textbox', { name: 'Delimiter' }), { target: { value: ';' } });
  submit();
  const [upload] = uploads.sent;
  expect([...upload!.form.keys()]).toEqual(['name', 'key', 'options', 'file']);
  expect(upload!.form.get('options')).toBe('{"delimiter":";"}');
  act(() => upload!.move(7, 14));
  expect(
    dialog().getByRole('progressbar', { name: 'Uploading my_birds' }).getAttribute('aria-valuenow'),
  ).toBe('7');
  await act(async () => upload!.answer(202, { job: { id: 'j1' } }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a name that is taken or cannot stand is told at its field', async () => {
  await open();
  choose('a.csv');
  fireEvent.change(nameField(), { target: { value: 'wonders' } });
  expect(dialog().getByRole('alert').textContent).toBe('There is a table “wonders” already.');
  fireEvent.change(nameField(), { target: { value: 'a b' } });
  expect(dialog().getByRole('alert').textContent).toContain('it has other characters');
  submit();
  expect(uploads.sent).toHaveLength(0);
});

test('a refused upload says why in the dialog and keeps what was chosen', async () => {
  await open();
  choose('a.csv');
  submit();
  const problem = formatProblem(
    new AppError({ code: 'EXISTS', message: 'There is a table a by now.', hint: 'Choose another name.' }),
  );
  await act(async () => uploads.sent[0]!.answer(409, problem));
  expect(dialog().getByRole('alert').textContent).toContain('There is a table a by now.Choose another name.');
  expect([nameField().value, dialog().getByRole('list', { name: 'Chosen files' }).textContent]).toEqual([
    'a',
    expect.stringContaining('a.csv'),
  ]);
});

test('an upload goes on in the background, and a failure there keeps the draft', async () => {
  await open();
  choose('a.csv');
  submit();
  fireEvent.click(dialog().getByRole('button', { name: 'Go on in the background' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await act(async () => uploads.sent[0]!.onerror?.());
  expect(
    importStore.getState().failed.map(({ draft, error }) => [draft.name, (error as AppError).code]),
  ).toEqual([['a', 'UPSTREAM']]);
});

test('an upload can be cancelled', async () => {
  await open();
  choose('a.csv');
  submit();
  await act(async () => fireEvent.click(dialog().getByRole('button', { name: 'Cancel the upload' })));
  expect(importStore.getState()).toMatchObject({ uploads: [], failed: [], error: null, isOpen: true });
});

test('what lies on the server is named by path or address', async () => {
  await open({ importTable: () => ({ job: { id: 'j9' } }) });
  fireEvent.click(dialog().getByRole('radio', { name: 'On the server or an address' }));
  fireEvent.change(dialog().getByRole('textbox', { name: 'Path on the server' }), {
    target: { value: '/data/clips/*.parquet' },
  });
  expect(nameField().value).toBe('clips');
  submit();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.callsOf('importTable')[0]?.body).toEqual({
    name: 'clips',
    sources: [{ path: '/data/clips/*.parquet' }],
  });
});

test('what the server refuses stands in the dialog', async () => {
  await open({
    importTable: () => {
      throw new AppError({
        code: 'NOT_FOUND',
        message: '/nowhere does not exist.',
        hint: 'Paths are those of the server.',
      });
    },
  });
  fireEvent.click(dialog().getByRole('radio', { name: 'On the server or an address' }));
  fireEvent.change(dialog().getByRole('textbox', { name: 'Path on the server' }), {
    target: { value: '/nowhere' },
  });
  submit();
  expect((await dialog().findByRole('alert')).textContent).toContain('Paths are those of the server.');
});

test('files dropped anywhere open the dialog with them', async () => {
  await open();
  fireEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
  const file = new File(['x'], 'dropped.parquet');
  const dataTransfer = {
    types: ['Files'],
    files: [file],
    items: [{ kind: 'file', webkitGetAsEntry: () => null }],
    dropEffect: 'none',
  };
  fireEvent(window, Object.assign(new Event('dragenter', { bubbles: true }), { dataTransfer }));
  expect(screen.getByText('Drop to import as a table')).toBeTruthy();
  fireEvent(window, Object.assign(new Event('drop', { bubbles: true, cancelable: true }), { dataTransfer }));
  expect((await screen.findByRole('dialog', { name: 'Import' })).textContent).toContain('dropped.parquet');
  expect([nameField().value, screen.queryByText('Drop to import as a table')]).toEqual(['dropped', null]);
});
