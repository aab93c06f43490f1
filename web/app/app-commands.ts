import { goTo, jobsPath, reviewsPath, sqlPath, tablesPath } from '../state/addresses.ts';
import type { Command } from '../state/commands.ts';
import { setTheme, themeStore } from '../state/theme.ts';
import { lastStep, lastUndone, redoStep, undoStep } from '../state/undo.ts';

interface Panels {
  openPalette: () => void;
  openShortcuts: () => void;
}

/** Commands that are there on every screen. */
export const useAppCommands = ({ openPalette, openShortcuts }: Panels): Command[] => [
  {
    id: 'app.commands',
    title: 'Find a command',
    group: 'Everywhere',
    keys: ['Mod+K'],
    isHidden: true,
    run: openPalette,
  },
  {
    id: 'app.shortcuts',
    title: 'Keyboard shortcuts of this screen',
    group: 'Everywhere',
    keys: ['?'],
    run: openShortcuts,
  },
  {
    id: 'app.undo',
    title: 'Undo',
    group: 'Everywhere',
    keys: ['Mod+Z'],
    whyNot: () => (lastStep() ? null : 'Nothing to undo'),
    run: () => undoStep(),
  },
  {
    id: 'app.redo',
    title: 'Redo',
    group: 'Everywhere',
    keys: ['Mod+Shift+Z'],
    whyNot: () => (lastUndone() ? null : 'Nothing to redo'),
    run: () => redoStep(),
  },
  { id: 'go.tables', title: 'Go to tables', group: 'Go to', keys: ['g t'], run: () => goTo(tablesPath) },
  { id: 'go.sql', title: 'Go to SQL', group: 'Go to', keys: ['g s'], run: () => goTo(sqlPath) },
  { id: 'go.reviews', title: 'Go to reviews', group: 'Go to', keys: ['g r'], run: () => goTo(reviewsPath) },
  { id: 'go.jobs', title: 'Go to jobs', group: 'Go to', keys: ['g j'], run: () => goTo(jobsPath) },
  { id: 'app.themeLight', title: 'Light theme', group: 'Look', run: () => setTheme('light') },
  { id: 'app.themeDark', title: 'Dark theme', group: 'Look', run: () => setTheme('dark') },
  {
    id: 'app.themeSystem',
    title: 'Theme of the system',
    group: 'Look',
    whyNot: () => (themeStore.getState().theme === 'system' ? 'It is on' : null),
    run: () => setTheme('system'),
  },
];
