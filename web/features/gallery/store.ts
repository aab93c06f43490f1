import { useCallback, useSyncExternalStore } from 'react';

/** How a person looks at the gallery of one table. */
export interface GalleryLook {
  heightPx: number;
  captions: readonly string[] | null;
  column: string | null;
}

const plain: GalleryLook = { heightPx: 190, captions: null, column: null };
const looks = new Map<string, GalleryLook>();
const listeners = new Set<() => void>();
const storageKey = (table: string): string => `curio.gallery.${table}`;

function readLook(table: string): GalleryLook {
  let look = looks.get(table);
  if (!look) {
    try {
      look = {
        ...plain,
        ...(JSON.parse(localStorage.getItem(storageKey(table)) ?? '{}') as Partial<GalleryLook>),
      };
    } catch {
      look = plain;
    }
    looks.set(table, look);
  }
  return look;
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function useGalleryLook(table: string): [GalleryLook, (patch: Partial<GalleryLook>) => void] {
  const look = useSyncExternalStore(subscribe, () => readLook(table));
  const change = useCallback(
    (patch: Partial<GalleryLook>) => {
      const next = { ...readLook(table), ...patch };
      looks.set(table, next);
      localStorage.setItem(storageKey(table), JSON.stringify(next));
      for (const listener of listeners) listener();
    },
    [table],
  );
  return [look, change];
}
