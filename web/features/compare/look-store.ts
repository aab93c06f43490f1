import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export type ChangesLook = 'cards' | 'table';

const key = 'curio.compare.look';

const read = (): ChangesLook => {
  try {
    return localStorage.getItem(key) === 'table' ? 'table' : 'cards';
  } catch {
    return 'cards';
  }
};

const store = createStore<{ look: ChangesLook }>(() => ({ look: read() }));

/** Shows changes as cards or as a table from now on; kept in this browser. */
export function setLook(look: ChangesLook): void {
  store.setState({ look });
  try {
    localStorage.setItem(key, look);
  } catch {
    return;
  }
}

export const useLook = (): ChangesLook => useStore(store, ({ look }) => look);
