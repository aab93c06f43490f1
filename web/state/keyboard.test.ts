// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listCommands, registerCommands, useOnlyCommands } from './commands.ts';
import { formatPress, listenToKeys } from './keyboard.ts';

const ran: string[] = [];
let stops: (() => void)[] = [];
const command = (id: string, keys: string[], whyNot?: () => string | null) => ({
  id,
  title: id,
  group: 'Test',
  keys,
  whyNot,
  run: () => void ran.push(id),
});

beforeEach(() => {
  ran.length = 0;
  document.body.innerHTML =
    '<input id="field"><div role="dialog"><p id="inside" tabindex="0"></p></div><button id="button"></button>';
  stops = [listenToKeys(window)];
});
afterEach(() => {
  for (const stop of stops) stop();
});

const press = (key: string, options: KeyboardEventInit & { on?: string } = {}) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
  (options.on ? document.getElementById(options.on)! : document.body).dispatchEvent(event);
  return event.defaultPrevented;
};

test('keys are named as commands name them', () => {
  const name = (key: string, more: Partial<KeyboardEvent> = {}) =>
    formatPress({ key, metaKey: false, ctrlKey: false, altKey: false, shiftKey: false, ...more });
  expect([
    name('k', { ctrlKey: true }),
    name('Z', { ctrlKey: true, shiftKey: true }),
    name('?', { shiftKey: true }),
    name(' '),
    name(' ', { shiftKey: true }),
    name('ArrowDown', { shiftKey: true }),
    name('B', { shiftKey: true }),
    name('x'),
  ]).toEqual(['Mod+K', 'Mod+Shift+Z', '?', 'Space', 'Shift+Space', 'Shift+ArrowDown', 'Shift+B', 'x']);
});

test('a command runs by its keys, by a sequence, and not while one types', () => {
  stops.push(
    registerCommands([command('go', ['g t']), command('mark', ['x']), command('palette', ['Mod+K'])]),
  );
  expect([
    press('x'),
    press('x', { on: 'field' }),
    press('k', { ctrlKey: true, on: 'field' }),
    press('x', { on: 'inside' }),
  ]).toEqual([true, false, true, false]);
  press('g');
  press('t');
  expect(ran).toEqual(['mark', 'palette', 'go']);
});

test('of two commands with one key the newer one runs, unless it cannot', () => {
  let isBusy = false;
  stops.push(registerCommands([command('older', ['Escape'])]));
  stops.push(registerCommands([command('newer', ['Escape'], () => (isBusy ? 'busy' : null))]));
  press('Escape');
  isBusy = true;
  press('Escape');
  expect(ran).toEqual(['newer', 'older']);
});

test('Enter and Space on a button are the button’s, and what was handled is left alone', () => {
  stops.push(registerCommands([command('open', ['Space', 'Enter'])]));
  press(' ', { on: 'button' });
  document.body.addEventListener('keydown', (event) => event.preventDefault(), { once: true });
  press('Enter');
  expect(ran).toEqual([]);
});

test('while a screen lies over the page, only the commands of its features are there', () => {
  stops.push(registerCommands([command('edit.delete', ['Delete']), command('viewer.next', ['j'])]));
  const { unmount } = renderHook(() => useOnlyCommands(['viewer']));
  press('Delete');
  press('j');
  expect(listCommands().map(({ id }) => id)).toEqual(['viewer.next']);
  unmount();
  press('Delete');
  expect(ran).toEqual(['viewer.next', 'edit.delete']);
});
