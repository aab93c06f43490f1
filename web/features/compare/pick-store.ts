import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Change } from './model/change.ts';

/** Changes picked to be brought to another branch, by id. */
export type Picks = ReadonlyMap<string, Change>;

export interface PickStore extends Omit<StoreApi<{ picks: Picks }>, 'setState'> {
  toggle: (changes: readonly Change[], isPicked: boolean) => void;
  clear: () => void;
}

/** What a person picked in a comparison; kept while the page is open. */
export function createPickStore(): PickStore {
  const { getState, setState, subscribe, getInitialState } = createStore<{ picks: Picks }>(() => ({
    picks: new Map(),
  }));
  return {
    getState,
    subscribe,
    getInitialState,
    toggle: (changes, isPicked) =>
      setState(({ picks }) => {
        const next = new Map(picks);
        for (const change of changes) {
          if (isPicked) next.set(change.id, change);
          else next.delete(change.id);
        }
        return { picks: next };
      }),
    clear: () => setState({ picks: new Map() }),
  };
}
