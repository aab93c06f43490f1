// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import { GoToRow } from './go-to-row.tsx';

afterEach(cleanup);

function open(locate: (key: string | string[]) => Promise<number | null> = async () => 41) {
  const onGo = vi.fn();
  renderApp(<GoToRow total={3_000_000} keyColumns={['id']} locate={locate} onGo={onGo} />);
  fireEvent.click(screen.getByRole('button', { name: 'Go to a row' }));
  return { onGo, field: screen.getByRole('combobox', { name: 'Go to' }) };
}

const type = (field: HTMLElement, text: string) => fireEvent.change(field, { target: { value: text } });

test('Enter goes to the row that was typed; an arrow chooses the key instead', async () => {
  const { onGo, field } = open();
  type(field, '2,000,000');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(onGo).toHaveBeenCalledWith(1_999_999));
  cleanup();
  const second = open();
  type(second.field, '17');
  fireEvent.keyDown(second.field, { key: 'ArrowDown' });
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('id = 17');
  fireEvent.keyDown(second.field, { key: 'Enter' });
  await waitFor(() => expect(second.onGo).toHaveBeenCalledWith(41));
});

test('the keys are in the rows afterwards; without having gone anywhere they are where they were', async () => {
  renderApp(
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: as the grid of rows is */}
      <div role="grid" aria-label="Rows" tabIndex={-1} />
      <GoToRow total={100} keyColumns={[]} locate={async () => null} onGo={() => {}} />
    </>,
  );
  const button = screen.getByRole('button', { name: 'Go to a row' });
  fireEvent.click(button);
  const field = screen.getByRole('combobox', { name: 'Go to' });
  type(field, '50');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('grid', { name: 'Rows' })));
  fireEvent.click(button);
  fireEvent.keyDown(screen.getByRole('combobox', { name: 'Go to' }), { key: 'Escape' });
  await waitFor(() => expect(document.activeElement).toBe(button));
});

test('says when no row has the key, and what the server says, and keeps what was typed', async () => {
  const { onGo, field } = open(async () => null);
  type(field, 'fish1');
  fireEvent.keyDown(field, { key: 'Enter' });
  expect((await screen.findByRole('alert')).textContent).toBe('No row of this result has the id fish1.');
  cleanup();
  const other = open(() => Promise.reject(new AppError({ code: 'SQL_BIND', message: '“x” is no int64.' })));
  type(other.field, 'x');
  fireEvent.keyDown(other.field, { key: 'Enter' });
  expect((await screen.findByRole('alert')).textContent).toBe('“x” is no int64.');
  expect((other.field as HTMLInputElement).value).toBe('x');
  expect(onGo).not.toHaveBeenCalled();
});
