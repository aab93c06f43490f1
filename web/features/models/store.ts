import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

export const colorings = ['own', 'height', 'single'] as const;
export const surfaces = ['shaded', 'edges', 'wire'] as const;
export const grounds = ['page', 'light', 'dark'] as const;

/** How a person looks at 3D models. */
export interface ModelLook {
  /** 1 to 10; 3 closes the gaps of an even cloud. */
  pointSize: number;
  coloring: (typeof colorings)[number];
  surface: (typeof surfaces)[number];
  ground: (typeof grounds)[number];
  hasGrid: boolean;
  /** Which axis points up; `auto` is what the format is mostly written with. */
  up: 'auto' | 'y' | 'z';
}

export const plainModelLook: ModelLook = {
  pointSize: 3,
  coloring: 'own',
  surface: 'shaded',
  ground: 'page',
  hasGrid: false,
  up: 'auto',
};

const storageKey = (table: string): string => `curio.models.${table}`;

const looks = createStore<{ byTable: Readonly<Record<string, ModelLook>> }>(() => ({ byTable: {} }));
const stored = new Map<string, ModelLook>();

/** As local storage has it; the same object each time. */
function storedLook(table: string): ModelLook {
  let look = stored.get(table);
  if (!look) {
    try {
      look = {
        ...plainModelLook,
        ...(JSON.parse(localStorage.getItem(storageKey(table)) ?? '{}') as object),
      };
    } catch {
      look = plainModelLook;
    }
    stored.set(table, look);
  }
  return look;
}

/** How models of a table are looked at, and how to change a part of it; kept in the browser. */
export function useModelLook(table: string): [ModelLook, (patch: Partial<ModelLook>) => void] {
  const look = useStore(looks, ({ byTable }) => byTable[table]) ?? storedLook(table);
  const change = (patch: Partial<ModelLook>) => {
    const next = { ...(looks.getState().byTable[table] ?? storedLook(table)), ...patch };
    looks.setState(({ byTable }) => ({ byTable: { ...byTable, [table]: next } }));
    localStorage.setItem(storageKey(table), JSON.stringify(next));
  };
  return [look, change];
}
