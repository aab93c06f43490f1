import * as z from 'zod';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

const storageKey = 'curio.tables';

const Layout = z.object({
  look: z.enum(['cards', 'list']),
  order: z.enum(['changed', 'name', 'rows', 'size']),
});
export type Layout = z.infer<typeof Layout>;

function readLayout(): Layout {
  try {
    return Layout.parse(JSON.parse(localStorage.getItem(storageKey) ?? ''));
  } catch {
    return { look: 'cards', order: 'changed' };
  }
}

const layout = createStore<Layout>(readLayout);

/** How this person likes the tables shown. */
export const useLayout = (): Layout => useStore(layout);

export function setLayout(patch: Partial<Layout>): void {
  layout.setState(patch);
  localStorage.setItem(storageKey, JSON.stringify(layout.getState()));
}
