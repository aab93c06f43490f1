import { type RefObject, useEffect } from 'react';
import { runCommand, useCommands } from '../../../state/commands.ts';

/** The command that was asked for by its key before it was there. */
export type EarlyCommand = RefObject<string | null>;

const keys: Readonly<Record<string, string>> = {
  'edit.setValue': 'Shift+E',
  'edit.tag': 't',
  'edit.delete': 'Delete',
};

/** Stands in while the actions of the selection load: a key that is pressed meanwhile is not lost. */
export function EarlyKeys({ early }: { early: EarlyCommand }) {
  useCommands(
    Object.entries(keys).map(([id, key]) => ({
      id,
      title: id,
      group: 'Selected rows',
      keys: [key],
      isHidden: true,
      isUnlisted: true,
      run: () => {
        early.current = id;
      },
    })),
  );
  return null;
}

/** Runs what was asked for, once; to be placed after what brings the commands. */
export function RunEarly({ early }: { early: EarlyCommand }) {
  useEffect(() => {
    const id = early.current;
    early.current = null;
    if (id !== null) runCommand(id);
  }, [early]);
  return null;
}
