import { useEffect, useRef } from 'react';
import type * as z from 'zod';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { showError } from '../ui/toast.tsx';

/** Everything that a person can do is a command: palette, keys, buttons and tests share it. */
export interface Command<I = void> {
  /** `feature.verb`: `grid.selectAll`. */
  id: string;
  title: string;
  /** Heading in the palette and on the sheet of shortcuts: “Rows”, “Go to”. */
  group: string;
  /** Each works alone. `Mod` is ⌘ or Ctrl; a space parts the steps of a sequence: `g t`. */
  keys?: readonly string[];
  /** Checked before it runs; a command with an input is left out of palette and keys. */
  input?: z.ZodType<I>;
  /** Why it cannot run now; `null` when it can. */
  whyNot?: () => string | null;
  /** Keeps it out of the palette: for keys that only make sense where the focus is. */
  isHidden?: boolean;
  /** Keeps it off the sheet of shortcuts as well: a variant that the others teach. */
  isUnlisted?: boolean;
  run: (input: I) => unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: commands of every input stand in one list; `runCommand` checks each input
type AnyCommand = Command<any>;

interface Registry {
  layers: readonly (readonly AnyCommand[])[];
  /** Of screens that lie over others: the features whose commands are there meanwhile. The last counts. */
  only: readonly (readonly string[])[];
}

const registry = createStore<Registry>(() => ({ layers: [], only: [] }));

/** Registers commands until the returned function is called. Later ones win where ids or keys are the same. */
export function registerCommands(commands: readonly AnyCommand[]): () => void {
  registry.setState(({ layers }) => ({ layers: [...layers, commands] }));
  return () => registry.setState(({ layers }) => ({ layers: layers.filter((layer) => layer !== commands) }));
}

/** Commands of a screen: there while the component is. They always run with the newest closures. */
export function useCommands(commands: readonly AnyCommand[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  const shape = commands
    .map((command) => `${command.id}\0${command.title}\0${command.keys?.join('\0') ?? ''}`)
    .join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: registered anew only when what is seen of them changes
  useEffect(
    () =>
      registerCommands(
        latest.current.map((command, index) => ({
          ...command,
          whyNot: () => latest.current[index]?.whyNot?.() ?? null,
          run: (input: unknown) => latest.current[index]?.run(input),
        })),
      ),
    [shape],
  );
}

const flatten = ({ layers, only }: Registry): AnyCommand[] => {
  const features = only.at(-1);
  const byId = new Map<string, AnyCommand>();
  for (const layer of layers)
    for (const command of layer)
      if (!features || features.includes(command.id.split('.')[0] ?? '')) byId.set(command.id, command);
  return [...byId.values()];
};

/** While a screen lies over the page, only commands of these features are there: `viewer` for `viewer.close`. */
export function useOnlyCommands(features: readonly string[]): void {
  const kept = useRef(features);
  useEffect(() => {
    const entry = kept.current;
    registry.setState(({ only }) => ({ only: [...only, entry] }));
    return () => registry.setState(({ only }) => ({ only: only.filter((one) => one !== entry) }));
  }, []);
}

/** The commands that are there now. */
export const listCommands = (): AnyCommand[] => flatten(registry.getState());

export function useCommandList(): AnyCommand[] {
  return flatten(useStore(registry));
}

/** Runs a command by its id; false when it is not there or cannot run. What it throws is shown. */
export function runCommand(id: string, input?: unknown): boolean {
  const command = listCommands().find((one) => one.id === id);
  if (!command || command.whyNot?.()) return false;
  const checked = command.input ? command.input.parse(input) : undefined;
  void (async () => command.run(checked))().catch(showError);
  return true;
}
