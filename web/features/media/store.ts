import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** How a person looks at the media of one table. */
export interface MediaLook {
  /** Annotations are drawn. */
  hasAnnotations: boolean;
  /** In the gallery they are drawn on every picture, not only under the pointer. */
  isOnTiles: boolean;
  hasNames: boolean;
  hasPanel: boolean;
  hiddenSets: readonly string[];
  hiddenClasses: readonly string[];
  minScore: number;
  /** The two sets that are compared; null where none are. */
  truth: string | null;
  prediction: string | null;
  minIou: number;
  isByClass: boolean;
}

export const plainLook: MediaLook = {
  hasAnnotations: true,
  isOnTiles: false,
  hasNames: true,
  hasPanel: true,
  hiddenSets: [],
  hiddenClasses: [],
  minScore: 0,
  truth: null,
  prediction: null,
  minIou: 0.5,
  isByClass: true,
};

const storageKey = (table: string): string => `curio.media.${table}`;

const looks = createStore<{ byTable: Readonly<Record<string, MediaLook>> }>(() => ({ byTable: {} }));

const stored = new Map<string, MediaLook>();

/** As local storage has it; the same object each time. */
function storedLook(table: string): MediaLook {
  let look = stored.get(table);
  if (!look) {
    try {
      const text = localStorage.getItem(storageKey(table)) ?? '{}';
      look = { ...plainLook, ...(JSON.parse(text) as Partial<MediaLook>) };
    } catch {
      look = plainLook;
    }
    stored.set(table, look);
  }
  return look;
}

/** Changes a part of how media are looked at, and remembers it. */
export function changeMediaLook(table: string, patch: Partial<MediaLook>): void {
  const next = { ...(looks.getState().byTable[table] ?? storedLook(table)), ...patch };
  looks.setState(({ byTable }) => ({ byTable: { ...byTable, [table]: next } }));
  localStorage.setItem(storageKey(table), JSON.stringify(next));
}

export function useMediaLook(table: string): [MediaLook, (patch: Partial<MediaLook>) => void] {
  const look = useStore(looks, ({ byTable }) => byTable[table]) ?? storedLook(table);
  return [look, (patch) => changeMediaLook(table, patch)];
}

/** Forgets what was read: for tests. */
export function resetMediaLooks(): void {
  stored.clear();
  looks.setState({ byTable: {} });
}
