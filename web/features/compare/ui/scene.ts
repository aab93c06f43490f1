import { createContext, type ReactNode, useContext } from 'react';
import { useStore } from 'zustand';
import type { DiffSummary } from '#shared/api/edits.ts';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import type { GridColumn } from '../../grid/index.ts';
import type { ChoiceStore } from '../choice-store.ts';
import type { Change } from '../model/change.ts';
import type { ChoiceBook, ConflictItem } from '../model/choices.ts';
import type { SeenMarks } from '../model/seen.ts';
import { isSeen } from '../model/seen.ts';
import type { PickStore, Picks } from '../pick-store.ts';
import type { Comparison } from '../queries.ts';
import type { SeenStore } from '../seen-store.ts';

/** What another page adds to the changes, such as a review its comments. */
export interface ChangeSlots {
  /** Among the buttons of a card. */
  head?: (change: Change) => ReactNode;
  /** Beside the name of a changed column. */
  cell?: (change: Change, column: string) => ReactNode;
  /** At the foot of a card, also of one that is folded. */
  foot?: (change: Change) => ReactNode;
}

/** What the parts of one comparison share. */
export interface Scene {
  comparison: Comparison;
  summary: DiffSummary;
  columns: readonly GridColumn[];
  choices: ChoiceStore;
  seen: SeenStore;
  picks: PickStore;
  /** How columns of boxes, masks and points are read. */
  layouts: ReadonlyMap<string, AnnotationLayout>;
  /** Branch names for reading. */
  names: { from: string; into: string };
  /** The conflict that the keys settle. */
  currentConflict: string | null;
  onConflict: (item: ConflictItem) => void;
  slots?: ChangeSlots;
}

const SceneContext = createContext<Scene | null>(null);

export const SceneProvider = SceneContext.Provider;

export function useScene(): Scene {
  const scene = useContext(SceneContext);
  if (!scene) throw new Error('There is no comparison around this part.');
  return scene;
}

export const useBook = (choices: ChoiceStore): ChoiceBook => useStore(choices, ({ book }) => book);

export const useSeenMarks = (seen: SeenStore): SeenMarks => useStore(seen, ({ marks }) => marks);

/** Whether this person has looked at a change. */
export const useIsSeen = (seen: SeenStore, change: Change): boolean =>
  useStore(seen, ({ marks }) => isSeen(marks, change));

export const usePicks = (picks: PickStore): Picks => useStore(picks, (state) => state.picks);
