import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { DiffSummary } from '#shared/api/edits.ts';
import type { GridColumn } from '../../grid/index.ts';
import type { ChoiceStore } from '../choice-store.ts';
import type { ChoiceBook, ConflictItem } from '../model/choices.ts';
import type { Comparison } from '../queries.ts';

/** What the parts of one comparison share. */
export interface Scene {
  comparison: Comparison;
  summary: DiffSummary;
  columns: readonly GridColumn[];
  choices: ChoiceStore;
  /** Branch names for reading. */
  names: { from: string; into: string };
  /** The conflict that the keys settle. */
  currentConflict: string | null;
  onConflict: (item: ConflictItem) => void;
}

const SceneContext = createContext<Scene | null>(null);

export const SceneProvider = SceneContext.Provider;

export function useScene(): Scene {
  const scene = useContext(SceneContext);
  if (!scene) throw new Error('There is no comparison around this part.');
  return scene;
}

export const useBook = (choices: ChoiceStore): ChoiceBook => useStore(choices, ({ book }) => book);
