import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Change } from './model/change.ts';
import type { DraftPlace, DraftStorage } from './model/choice-drafts.ts';
import { planSeen, type SeenMarks } from './model/seen.ts';

type ReadableStore = Omit<StoreApi<{ marks: SeenMarks }>, 'setState'>;

export interface SeenStore extends ReadableStore {
  mark: (changes: readonly Change[], isSeen: boolean) => void;
}

const Marks = z.record(z.string(), z.string());

const keyOf = ({ table, from, into }: DraftPlace): string =>
  `curio.seen.${JSON.stringify([table, from, into])}`;

function readMarks(storage: DraftStorage, place: DraftPlace): SeenMarks {
  try {
    return Marks.parse(JSON.parse(storage.getItem(keyOf(place)) ?? '{}'));
  } catch {
    return {};
  }
}

/** What this person has looked at in a comparison; kept in this browser. */
export function createSeenStore(place: DraftPlace, storage: DraftStorage): SeenStore {
  const { getState, setState, subscribe, getInitialState } = createStore(() => ({
    marks: readMarks(storage, place),
  }));
  return {
    getState,
    subscribe,
    getInitialState,
    mark: (changes, isSeen) => {
      const marks = planSeen(getState().marks, changes, isSeen);
      setState({ marks });
      try {
        storage.setItem(keyOf(place), JSON.stringify(marks));
      } catch {
        return;
      }
    },
  };
}
