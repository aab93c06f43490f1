import { listCommands, runCommand } from './commands.ts';

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
const sequenceMs = 1200;

const named: Record<string, string> = { ' ': 'Space', Esc: 'Escape', Del: 'Delete' };

/** One key press as commands name it: `Mod+Shift+Z`, `x`, `?`, `Space`. */
export function formatPress(
  event: Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>,
): string {
  const key = named[event.key] ?? event.key;
  const hasMod = isMac ? event.metaKey : event.ctrlKey;
  const isLetter = /^[a-z]$/i.test(key);
  const parts = [
    hasMod && 'Mod',
    isMac && event.ctrlKey && 'Ctrl',
    event.altKey && 'Alt',
    event.shiftKey && (isLetter || key.length > 1) && 'Shift',
  ];
  const shown = key.length === 1 ? (hasMod || event.altKey ? key.toUpperCase() : key.toLowerCase()) : key;
  return [...parts.filter(Boolean), event.shiftKey && isLetter ? key.toUpperCase() : shown].join('+');
}

const same = (a: string, b: string): boolean => normal(a) === normal(b);
const normal = (keys: string): string =>
  keys.replace(
    /(^|[+ ])([A-Z])(?=$| )/g,
    (_all, before: string, letter: string) => before + letter.toLowerCase(),
  );

/** A person is writing: plain keys belong to the text. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  return target instanceof HTMLInputElement && !/^(checkbox|radio|button|range|submit)$/.test(target.type);
}

/** Inside menus, lists and dialogs plain keys belong to them. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('[role="menu"],[role="listbox"],[role="dialog"],.monaco-editor') !== null;

/** Runs commands by their keys. One listener for the whole page; keys that a control handled itself are left alone. */
export function listenToKeys(target: Window): () => void {
  let pending = '';
  let pendingSince = 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || /^(Shift|Control|Alt|Meta)$/.test(event.key)) return;
    const press = formatPress(event);
    const isPlain = !press.startsWith('Mod+');
    if (isPlain && (isTyping(event.target) || isElsewhere(event.target))) return;
    if (press === 'Mod+Z' || press === 'Mod+Shift+Z' || press === 'Mod+A') {
      if (isTyping(event.target) || isElsewhere(event.target)) return;
    }
    if (
      (press === 'Space' || press === 'Enter') &&
      event.target instanceof Element &&
      event.target.closest('button,a,[role="button"],[role="checkbox"]')
    )
      return;
    const isFresh = event.timeStamp - pendingSince < sequenceMs;
    const sequence = pending && isFresh ? `${pending} ${press}` : press;
    pending = '';
    const commands = listCommands()
      .filter((command) => !command.input)
      .reverse();
    const find = (wanted: string) =>
      commands.find((command) => command.keys?.some((keys) => same(keys, wanted)) && !command.whyNot?.());
    const found = find(sequence) ?? find(press);
    if (found) {
      event.preventDefault();
      runCommand(found.id);
      return;
    }
    if (
      commands.some((command) => command.keys?.some((keys) => normal(keys).startsWith(`${normal(press)} `)))
    ) {
      pending = press;
      pendingSince = event.timeStamp;
      event.preventDefault();
    }
  };
  target.addEventListener('keydown', onKeyDown);
  return () => target.removeEventListener('keydown', onKeyDown);
}
