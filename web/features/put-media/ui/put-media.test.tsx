// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { int64, utf8 } from '@uwdata/flechette';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import { maxEditBytes } from '../../../state/column-files.ts';
import { clearSteps } from '../../../state/undo.ts';
import { arrowBytes } from '../../../testing/arrow-rows.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeDetail, fakeSession } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { AddRowsDialog } from './add-rows-dialog.tsx';
import { ReplaceMedia } from './replace-media.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;
const onClose = vi.fn();
const onImport = vi.fn();

const picture = (name = 'cat.png', type = 'image/png', text = 'meow') => new File([text], name, { type });
const done = { version: 13, changed: { inserted: 0, updated: 1, deleted: 0 }, editId: 'e1' };

function serve(answers: Parameters<typeof fakeServer>[0] = {}) {
  server = fakeServer({
    session: () => fakeSession(),
    edit: () => done,
    undo: () => ({ ...done, version: 14 }),
    ...answers,
  });
}

function showStage(detail = fakeDetail('fix')) {
  page = renderPage(
    <ReplaceMedia table="wonders" detail={detail} rowId="7" column="image" hearsPaste>
      {(button) => <figure>{button}</figure>}
    </ReplaceMedia>,
  );
}

function showDialog(files: File[], detail = fakeDetail('fix')) {
  page = renderPage(
    <AddRowsDialog table="wonders" detail={detail} files={files} onClose={onClose} onImport={onImport} />,
  );
}

const choose = (file: File) =>
  fireEvent.change(screen.getByLabelText('Replace the picture…', { selector: 'input' }), {
    target: { files: [file] },
  });
const paste = (file: File) =>
  fireEvent(
    document.body,
    Object.assign(new Event('paste', { bubbles: true, cancelable: true }), {
      clipboardData: { files: [file] },
    }),
  );

beforeEach(() => {
  preparePage();
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => undefined;
  onClose.mockReset();
  onImport.mockReset();
  serve();
});
afterEach(() => {
  clearSteps();
  page.close();
});

const wanted = {
  branch: 'fix',
  ops: [{ op: 'set', rows: { ids: ['7'] }, values: { image: { base64: btoa('meow') } } }],
};

test('a chosen picture replaces the one of the cell, as one edit that can be undone', async () => {
  showStage();
  choose(picture());
  await waitFor(() => expect(server.callsOf('edit')).toHaveLength(1));
  expect(server.callsOf('edit')[0]?.body).toMatchObject(wanted);
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(server.callsOf('undo')[0]?.body).toEqual({ branch: 'fix', editId: 'e1' }));
});

test('so does a pasted and a dropped one', async () => {
  showStage();
  paste(picture());
  await waitFor(() => expect(server.callsOf('edit')).toHaveLength(1));
  const dataTransfer = {
    types: ['Files'],
    items: [{ kind: 'file', type: 'image/png' }],
    files: [picture()],
    dropEffect: 'none',
  };
  const figure = screen.getByRole('figure');
  fireEvent.dragEnter(figure, { dataTransfer });
  expect(screen.getByText('Drop to replace image')).toBeTruthy();
  fireEvent.drop(figure, { dataTransfer });
  await waitFor(() => expect(server.callsOf('edit')).toHaveLength(2));
  expect(server.callsOf('edit')[1]?.body).toMatchObject(wanted);
  expect(screen.queryByText('Drop to replace image')).toBeNull();
});

test('what is no picture, or too large, is refused before anything is sent', async () => {
  showStage();
  choose(picture('notes.txt', 'text/plain'));
  expect(await screen.findByText('notes.txt is not a picture.')).toBeTruthy();
  const large = picture();
  Object.defineProperty(large, 'size', { value: maxEditBytes + 1 });
  choose(large);
  expect(await screen.findByText(/one edit takes 22 MB/)).toBeTruthy();
  expect(server.callsOf('edit')).toEqual([]);
});

test('on a protected branch a branch is offered first', async () => {
  showStage(fakeDetail('main'));
  choose(picture());
  expect(await screen.findByRole('dialog')).toBeTruthy();
  expect(server.callsOf('edit')).toEqual([]);
});

test('an error of the server stands at the picture', async () => {
  serve({
    edit: () => {
      throw new AppError({ code: 'FORBIDDEN', message: 'You may not write here.' });
    },
  });
  showStage();
  choose(picture());
  expect((await screen.findByRole('alert')).textContent).toContain('You may not write here.');
});

test('files become rows whose keys come from their names, free of those that are taken', async () => {
  serve({
    rowsPost: () => arrowBytes({ _rowid: [1n], id: ['cat'] }, { _rowid: int64(), id: utf8() }),
    edit: () => ({ ...done, changed: { inserted: 2, updated: 0, deleted: 0 } }),
  });
  showDialog([picture(), picture('dog.png')]);
  expect(await screen.findByText('cat-2')).toBeTruthy();
  expect(server.callsOf('rowsPost')[0]?.body.where).toContain("'cat'");
  fireEvent.click(screen.getByRole('button', { name: 'Add 2 rows' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(server.callsOf('edit')[0]?.body).toMatchObject({
    branch: 'fix',
    ops: [
      {
        op: 'insert',
        rows: [
          { id: 'cat-2', image: { base64: btoa('meow') } },
          { id: 'dog', image: { base64: btoa('meow') } },
        ],
      },
    ],
  });
});

test('where file names cannot give the key it says so, and offers an import', async () => {
  showDialog([picture()], fakeDetail('fix', { key: ['id', 'views'] }));
  expect(await screen.findByText(/The key of wonders is id, views/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Add 1 row' }).getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: 'Import as a table instead' }));
  expect(onImport).toHaveBeenCalled();
});
