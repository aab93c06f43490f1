import { createStore } from 'zustand/vanilla';

const storageKey = 'curio.facets.isOpen';

/** Whether the facets stand beside the rows: the person's own, for all tables. */
export const facetsOpen = createStore<{ isOpen: boolean }>(() => ({
  isOpen: localStorage.getItem(storageKey) === '1',
}));

export function toggleFacets(isOpen = !facetsOpen.getState().isOpen): void {
  localStorage.setItem(storageKey, isOpen ? '1' : '0');
  facetsOpen.setState({ isOpen });
}
