import type { KeyboardEvent } from 'react';
import { useCommands } from '../../../state/commands.ts';
import { formatPress } from '../../../state/keyboard.ts';

export interface GalleryMoves {
  step: (by: number, isExtending: boolean) => void;
  stepLine: (direction: 1 | -1, isExtending: boolean) => void;
  goTo: (end: 'first' | 'last') => void;
  open: () => void;
  /** On the whole screen. */
  view: () => void;
  toggle: () => void;
  selectAll: () => void;
  clear: () => void;
  canClear: boolean;
}

interface GalleryKey {
  keys: string[];
  title: string;
  isSilent?: boolean;
  whyNot?: string | null;
  run: () => void;
}

const pageTiles = 24;

const planKeys = (moves: GalleryMoves): GalleryKey[] => [
  { keys: ['ArrowRight'], title: 'Next picture', run: () => moves.step(1, false) },
  { keys: ['ArrowLeft'], title: 'Previous picture', run: () => moves.step(-1, false) },
  { keys: ['ArrowDown'], title: 'Picture below', run: () => moves.stepLine(1, false) },
  { keys: ['ArrowUp'], title: 'Picture above', run: () => moves.stepLine(-1, false) },
  {
    keys: ['Shift+ArrowRight'],
    title: 'Select on to the right',
    isSilent: true,
    run: () => moves.step(1, true),
  },
  {
    keys: ['Shift+ArrowLeft'],
    title: 'Select on to the left',
    isSilent: true,
    run: () => moves.step(-1, true),
  },
  {
    keys: ['Shift+ArrowDown'],
    title: 'Select on downwards',
    isSilent: true,
    run: () => moves.stepLine(1, true),
  },
  {
    keys: ['Shift+ArrowUp'],
    title: 'Select on upwards',
    isSilent: true,
    run: () => moves.stepLine(-1, true),
  },
  { keys: ['PageDown'], title: 'A screen down', run: () => moves.step(pageTiles, false) },
  { keys: ['PageUp'], title: 'A screen up', run: () => moves.step(-pageTiles, false) },
  { keys: ['Home', 'Mod+Home'], title: 'First picture', run: () => moves.goTo('first') },
  { keys: ['End', 'Mod+End'], title: 'Last picture', run: () => moves.goTo('last') },
  { keys: ['Space'], title: 'Open the row', run: moves.open },
  { keys: ['Enter'], title: 'Look at it on the whole screen (also a double click)', run: moves.view },
  {
    keys: ['x'],
    title: 'Select the row (several: Shift and arrows, or sweep over the marks)',
    run: moves.toggle,
  },
  { keys: ['Mod+A'], title: 'Select all rows', run: moves.selectAll },
  {
    keys: ['Escape'],
    title: 'Select nothing',
    whyNot: moves.canClear ? null : 'Nothing is selected',
    run: moves.clear,
  },
];

/** The keys of the gallery, on the whole page. */
export function useGalleryKeys(moves: GalleryMoves): (event: KeyboardEvent) => void {
  const keys = planKeys(moves);
  useCommands(
    keys.map((key) => ({
      id: `gallery.${key.keys[0]}`,
      title: key.title,
      group: 'Gallery',
      keys: key.keys,
      isHidden: true,
      isUnlisted: key.isSilent ?? false,
      whyNot: () => key.whyNot ?? null,
      run: key.run,
    })),
  );
  return (event) => {
    if (event.target !== event.currentTarget) return;
    const press = formatPress(event.nativeEvent);
    const found = keys.find((key) => key.keys.includes(press));
    if (!found || found.whyNot) return;
    event.preventDefault();
    found.run();
  };
}
