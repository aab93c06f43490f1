// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listCommands, runCommand } from '../../../state/commands.ts';
import { TooltipProvider } from '../../../ui/index.ts';
import { SearchBox } from './search-box.tsx';

const onSearch = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  onSearch.mockReset();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const show = (text = '', whyNot: string | null = null) =>
  render(
    <TooltipProvider>
      <SearchBox text={text} onSearch={onSearch} whyNot={whyNot} />
    </TooltipProvider>,
  );
const box = () => screen.getByRole('searchbox', { name: 'Search' }) as HTMLInputElement;
const type = (value: string) => fireEvent.change(box(), { target: { value } });

test('searches when one pauses or presses Enter, once for each text', () => {
  show();
  type('ga');
  type('gate');
  act(() => vi.advanceTimersByTime(400));
  fireEvent.keyDown(box(), { key: 'Enter' });
  type('gates');
  fireEvent.keyDown(box(), { key: 'Enter' });
  act(() => vi.advanceTimersByTime(400));
  expect(onSearch.mock.calls).toEqual([
    ['gate', false],
    ['gates', true],
  ]);
});

test('Escape ends the search, and the button does', () => {
  show('gate');
  fireEvent.keyDown(box(), { key: 'Escape' });
  expect([onSearch.mock.calls, box().value]).toEqual([[['', true]], '']);
});

test('shows the search of the address when that changes', () => {
  const { rerender } = show('gate');
  rerender(
    <TooltipProvider>
      <SearchBox text="dam" onSearch={onSearch} whyNot={null} />
    </TooltipProvider>,
  );
  expect(box().value).toBe('dam');
});

test('is reached by its command, unless there is nothing to search in', () => {
  const { unmount } = show();
  runCommand('search.focus');
  expect(document.activeElement).toBe(box());
  unmount();
  show('', 'This table has no text');
  expect(
    listCommands()
      .find((command) => command.id === 'search.focus')
      ?.whyNot?.(),
  ).toBe('This table has no text');
  expect(box().readOnly).toBe(true);
});
