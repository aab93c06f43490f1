import { useState } from 'react';
import { type Command, useCommands } from '../../../state/commands.ts';

export interface ClassTools {
  /** In the order of their digits. */
  all: readonly string[];
  /** Of the selected one, else what the next one gets. */
  value: string | null;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  choose: (label: string) => void;
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** Naming by keys: a digit is a class, `c` finds one by typing. */
export function useClassKeys({
  all,
  value,
  whyNot,
  choose,
}: Pick<ClassTools, 'all' | 'value' | 'choose'> & { whyNot: string | null }): ClassTools {
  const [isOpen, setOpen] = useState(false);
  const group = 'Annotations';
  const commands: Command[] = [
    {
      id: 'annotate.class',
      title: 'Find or name a class for what is selected, or for the next',
      group,
      keys: ['c'],
      isHidden: true,
      whyNot: () => whyNot,
      run: () => setOpen(true),
    },
    ...digits.map(
      (digit, at): Command => ({
        id: `annotate.class${digit}`,
        title: 'While editing: the class with this digit, to 9',
        group,
        keys: [digit],
        isHidden: true,
        isUnlisted: at > 0,
        whyNot: () => whyNot ?? (all[at] === undefined ? 'There are not so many classes' : null),
        run: () => all[at] !== undefined && choose(all[at]),
      }),
    ),
  ];
  useCommands(commands);
  return { all, value, isOpen, setOpen, choose };
}
