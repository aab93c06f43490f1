// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import { describeQuery, useTableDetail } from '../../../api/index.ts';
import { useCommands } from '../../../state/commands.ts';
import { settlePending } from '../../../state/pending-cells.ts';
import { clearSteps, redoStep, undoStep } from '../../../state/undo.ts';
import { type FakeServer, fakeServer } from '../../../testing/fake-server.ts';
import { fakeDetail, fakeSession } from '../../../testing/fixtures.ts';
import { preparePage, renderPage } from '../../../testing/render-page.tsx';
import { closeEditDialog, editStore } from '../store.ts';
import { EditableValue, GridCellEditor } from './editable-value.tsx';
import { SelectionActions } from './selection-actions.tsx';

let server: FakeServer;
let page: ReturnType<typeof renderPage>;
let version = 12;

const edited = (editId: string) => () => {
  version += 1;
  return { version, changed: { inserted: 0, updated: 1, deleted: 0 }, editId };
};

/** One row's gloss and views, and the actions of a selection, on what the cache knows of the table. */
function Row({ branch, selected }: { branch: string; selected: number }) {
  const detail = useTableDetail('wonders', branch).data;
  const [done, setDone] = useState(0);
  useCommands([
    { id: 'test.undo', title: 'Undo', group: 'Test', keys: ['Mod+Z'], run: () => undoStep() },
    { id: 'test.redo', title: 'Redo', group: 'Test', keys: ['Mod+Shift+Z'], run: () => redoStep() },
  ]);
  if (!detail) return null;
  const cell = (column: string, value: unknown) => (
    <EditableValue table="wonders" detail={detail} row="7" column={{ name: column }} value={value}>
      {(shown) => <span data-testid={column}>{String(shown)}</span>}
    </EditableValue>
  );
  return (
    <>
      {cell('gloss', 'someone who plies a trade')}
      {cell('views', 5n)}
      {cell('image', null)}
      <span data-testid="head">{`${detail.ref.version} ${detail.branches.find(({ name }) => name === branch)?.ahead}`}</span>
      <span data-testid="done">{done}</span>
      <SelectionActions
        table="wonders"
        detail={detail}
        selection={{ ids: ['7', '9'] }}
        count={selected}
        onDone={() => setDone(done + 1)}
      />
    </>
  );
}

async function open(
  branch = 'fix',
  {
    detail = fakeDetail(branch),
    answers = {},
    selected = 0,
  }: { detail?: TableDetail; answers?: Parameters<typeof fakeServer>[0]; selected?: number } = {},
) {
  version = detail.ref.version;
  server = fakeServer({
    session: () => fakeSession(),
    describeTable: () => detail,
    edit: edited('e1'),
    undo: edited('u1'),
    ...answers,
  });
  page = renderPage(<Row branch={branch} selected={selected} />, `/t/wonders?ref=${branch}`);
  await screen.findByTestId('head');
}

beforeEach(preparePage);
afterEach(() => {
  closeEditDialog();
  clearSteps();
  editStore.setState({ heads: {} });
  settlePending('wonders', 'fix', 1000);
  page.close();
});

const press = (key: string, more: Partial<KeyboardEventInit> = {}) =>
  fireEvent.keyDown(document.body, { key, ...more });
const begin = (column: string) => fireEvent.click(screen.getByRole('button', { name: `Edit ${column}` }));
const bodies = () => server.callsOf('edit').map(({ body }) => body);

describe('a cell', () => {
  test('is changed in its place by one request, shown at once, undone and done again', async () => {
    await open();
    begin('gloss');
    const field = screen.getByRole('textbox', { name: 'gloss' });
    fireEvent.change(field, { target: { value: 'a gripping tool' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(screen.getByTestId('gloss').textContent).toBe('a gripping tool'));
    expect(bodies()).toEqual([
      {
        branch: 'fix',
        message: 'Set gloss on 1 row',
        expectedVersion: 12,
        ops: [{ op: 'set', rows: { ids: ['7'] }, values: { gloss: 'a gripping tool' } }],
      },
    ]);
    expect(await screen.findByText('Set gloss on 1 row · fix')).toBeTruthy();
    expect(screen.getByTestId('head').textContent).toBe('13 4');
    press('z', { ctrlKey: true });
    expect(await screen.findByText('Undone: Set gloss on 1 row · fix')).toBeTruthy();
    expect(screen.getByTestId('head').textContent).toBe('14 3');
    press('Z', { ctrlKey: true, shiftKey: true });
    expect(await screen.findByText('Done again: Set gloss on 1 row · fix')).toBeTruthy();
    expect(server.callsOf('undo').map(({ body }) => body.editId)).toEqual(['e1', 'u1']);
    expect(server.callsOf('describeTable')).toHaveLength(1);
  });

  test('that is not saved yet asks before the page is left; one that is saved or refused does not', async () => {
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    let answer: (value: unknown) => void = () => undefined;
    await open('fix', { answers: { edit: () => new Promise((resolve) => (answer = resolve)) } });
    const edit = (text: string) => {
      begin('gloss');
      const field = screen.getByRole('textbox', { name: 'gloss' });
      fireEvent.change(field, { target: { value: text } });
      fireEvent.keyDown(field, { key: 'Enter' });
    };
    expect(asks()).toBe(false);
    edit('a gripping tool');
    await waitFor(() => expect(server.callsOf('edit')).toHaveLength(1));
    expect(asks()).toBe(true);
    await act(async () => answer(edited('e1')()));
    expect(asks()).toBe(false);
    server.set('edit', () => {
      throw new AppError({ code: 'FORBIDDEN', message: 'Not you.' });
    });
    edit('a tool');
    expect(await screen.findByText('Not you.')).toBeTruthy();
    expect(asks()).toBe(false);
  });

  test('two edits in a row are each made against the head that the one before left', async () => {
    await open();
    for (const text of ['one', 'two']) {
      begin('gloss');
      fireEvent.change(screen.getByRole('textbox', { name: 'gloss' }), { target: { value: text } });
      fireEvent.click(screen.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
    }
    expect(bodies().map(({ expectedVersion }) => expectedVersion)).toEqual([12, 13]);
  });

  test('Escape leaves it, and the same value asks for nothing', async () => {
    await open();
    begin('gloss');
    fireEvent.change(screen.getByRole('textbox', { name: 'gloss' }), { target: { value: 'x' } });
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'gloss' }), { key: 'Escape' });
    expect(screen.getByTestId('gloss').textContent).toBe('someone who plies a trade');
    begin('gloss');
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect([bodies(), screen.queryByRole('textbox')]).toEqual([[], null]);
  });

  test('what the column cannot hold is told as one types', async () => {
    await open();
    begin('views');
    fireEvent.change(screen.getByRole('textbox', { name: 'views' }), { target: { value: '5.5' } });
    expect(screen.getByRole('alert').textContent).toBe('“5.5” is not a whole number.');
    fireEvent.click(screen.getByRole('checkbox', { name: 'null' }));
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(bodies().map(({ ops }) => ops[0].values)).toEqual([{ views: null }]));
  });

  test('that cannot be typed says why', async () => {
    await open();
    const pencil = screen.getByRole('button', { name: 'Edit image' });
    expect(pencil.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(pencil);
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  test('a failed edit changes nothing on the screen, says why, and keeps what was typed', async () => {
    await open('fix', {
      answers: {
        edit: () => {
          throw new AppError({ code: 'ENGINE_CRASHED', message: 'The engine stopped.', hint: 'Try again.' });
        },
      },
    });
    begin('gloss');
    fireEvent.change(screen.getByRole('textbox', { name: 'gloss' }), { target: { value: 'typed' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Nothing was changed.The engine stopped.Try again.',
    );
    expect((screen.getByRole('textbox', { name: 'gloss' }) as HTMLTextAreaElement).value).toBe('typed');
  });

  test('a branch that moved asks before others’ changes are passed over', async () => {
    await open('fix', {
      answers: {
        edit: ({ body }) => {
          if (body.expectedVersion !== undefined)
            throw new AppError({ code: 'HEAD_MOVED', message: 'fix has moved to version 15.' });
          return edited('e9')();
        },
      },
    });
    begin('gloss');
    fireEvent.change(screen.getByRole('textbox', { name: 'gloss' }), { target: { value: 'mine' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Change it on the newest version' }));
    await waitFor(() => expect(bodies().map((body) => 'expectedVersion' in body)).toEqual([true, false]));
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  });

  test('an edit that changes nothing says so and offers no undo', async () => {
    await open('fix', {
      answers: {
        edit: () => ({ version: 12, changed: { inserted: 0, updated: 0, deleted: 0 }, editId: '' }),
      },
    });
    begin('gloss');
    fireEvent.change(screen.getByRole('textbox', { name: 'gloss' }), { target: { value: 'same by now' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    const toast = await screen.findByText('Nothing changed on fix: the rows were so already');
    expect(within(toast.parentElement!).queryByText('Undo')).toBeNull();
  });
});

describe('main is protected', () => {
  const tryEdit = () => {
    begin('gloss');
    fireEvent.change(screen.getByRole('textbox', { name: 'gloss' }), {
      target: { value: 'a gripping tool' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    return within(screen.getByRole('dialog', { name: 'main is protected' }));
  };

  test('an edit goes on a new branch, and the screen with it', async () => {
    await open('main', {
      answers: {
        createBranch: ({ body }) => ({
          name: body.name,
          version: 10,
          parent: { branch: 'main', version: 10 },
          updatedAt: '',
          isProtected: false,
          ahead: 0,
        }),
      },
    });
    const dialog = tryEdit();
    expect((dialog.getByRole('textbox', { name: 'Name of the branch' }) as HTMLInputElement).value).toBe(
      'fix-gloss',
    );
    fireEvent.click(dialog.getByRole('button', { name: 'Make a branch and continue' }));
    await waitFor(() => expect(location.search).toBe('?ref=fix-gloss'));
    expect(server.callsOf('createBranch').map(({ body }) => body)).toEqual([
      { name: 'fix-gloss', from: 'main:10' },
    ]);
    expect(bodies().map(({ branch, ops }) => [branch, ops[0].values])).toEqual([
      ['fix-gloss', { gloss: 'a gripping tool' }],
    ]);
  });

  test('deciding against it loses nothing', async () => {
    await open('main');
    fireEvent.click(tryEdit().getByRole('button', { name: 'Cancel' }));
    expect((screen.getByRole('textbox', { name: 'gloss' }) as HTMLTextAreaElement).value).toBe(
      'a gripping tool',
    );
    expect(server.callsOf('createBranch')).toHaveLength(0);
  });
});

describe('a selection', () => {
  test('gets one value in one step', async () => {
    await open('fix', { selected: 2 });
    press('E', { shiftKey: true });
    const dialog = within(await screen.findByRole('dialog', { name: 'Set value' }));
    fireEvent.change(dialog.getByRole('textbox', { name: 'Value' }), { target: { value: 'tool' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Set on 2 rows' }));
    await waitFor(() => expect(screen.getByTestId('done').textContent).toBe('1'));
    expect(bodies().map(({ ops }) => ops)).toEqual([
      [{ op: 'set', rows: { ids: ['7', '9'] }, values: { gloss: 'tool' } }],
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('or what an expression gives', async () => {
    await open('fix', {
      selected: 2,
      answers: {
        edit: () => {
          throw new AppError({
            code: 'BAD_REQUEST',
            message: 'There is no function lowr.',
            hint: 'Did you mean lower?',
          });
        },
      },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Set value…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Set value' }));
    fireEvent.click(dialog.getByRole('radio', { name: 'An SQL expression' }));
    const field = dialog.getByRole('textbox', { name: 'Expression' }) as HTMLTextAreaElement;
    fireEvent.change(field, { target: { value: 'lowr(gloss)' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Set on 2 rows' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('Did you mean lower?');
    expect([bodies()[0].ops, field.value]).toEqual([
      [{ op: 'setSql', rows: { ids: ['7', '9'] }, values: { gloss: 'lowr(gloss)' } }],
      'lowr(gloss)',
    ]);
  });

  test('is tagged', async () => {
    await open('fix', { selected: 2 });
    press('t');
    const dialog = within(await screen.findByRole('dialog', { name: 'Tag rows' }));
    const add = dialog.getByRole('combobox', { name: 'Add to Tags to add' });
    fireEvent.change(add, { target: { value: 'cat,' } });
    fireEvent.change(add, { target: { value: 'kitty' } });
    fireEvent.keyDown(add, { key: 'Enter' });
    fireEvent.change(dialog.getByRole('combobox', { name: 'Add to Tags to remove' }), {
      target: { value: 'dog,' },
    });
    fireEvent.click(dialog.getByRole('button', { name: 'Tag 2 rows' }));
    await waitFor(() =>
      expect(bodies().map(({ ops }) => ops)).toEqual([
        [{ op: 'tag', rows: { ids: ['7', '9'] }, column: 'tags', add: ['cat', 'kitty'], remove: ['dog'] }],
      ]),
    );
  });

  test('is deleted by its key, without a question, with Undo', async () => {
    await open('fix', {
      selected: 2,
      answers: {
        edit: () => ({ version: 13, changed: { inserted: 0, updated: 0, deleted: 2 }, editId: 'e1' }),
      },
    });
    press('Delete');
    const toast = await screen.findByText('Deleted 2 rows · fix');
    expect(bodies().map(({ ops }) => ops)).toEqual([[{ op: 'delete', rows: { ids: ['7', '9'] } }]]);
    expect([
      page.client.getQueryData(describeQuery('wonders', 'fix').queryKey)?.rows,
      screen.getByTestId('done').textContent,
    ]).toEqual([216, '1']);
    await act(async () => fireEvent.click(within(toast.parentElement!).getByText('Undo')));
    expect(server.callsOf('undo')).toHaveLength(1);
  });
});

test('a grid’s editor says why a cell stays as it is', async () => {
  server = fakeServer({ session: () => fakeSession() });
  let isClosed = false;
  page = renderPage(
    <GridCellEditor
      table="wonders"
      detail={fakeDetail()}
      row="7"
      column={{ name: 'id' }}
      value="x"
      onClose={() => {
        isClosed = true;
      }}
    />,
  );
  fireEvent.click(screen.getByRole('button', { name: 'The key says which row this is, so it stays.' }));
  expect(isClosed).toBe(true);
});
