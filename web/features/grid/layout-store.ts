import { useCallback, useSyncExternalStore } from 'react';
import { type GridLayout, plainLayout } from './model/grid-layout.ts';

const storageKey = (name: string): string => `curio.layout.${name}`;
const layouts = new Map<string, GridLayout>();
const listeners = new Set<() => void>();

function readLayout(name: string): GridLayout {
  let layout = layouts.get(name);
  if (!layout) {
    layout = { ...plainLayout, ...parse(localStorage.getItem(storageKey(name))) };
    layouts.set(name, layout);
  }
  return layout;
}

function parse(text: string | null): Partial<GridLayout> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function writeLayout(name: string, layout: GridLayout): void {
  layouts.set(name, layout);
  localStorage.setItem(storageKey(name), JSON.stringify(layout));
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The layout of one table's columns, kept in this browser under a name. */
export function useGridLayout(name: string): [GridLayout, (layout: GridLayout) => void] {
  const layout = useSyncExternalStore(subscribe, () => readLayout(name));
  const setLayout = useCallback((next: GridLayout) => writeLayout(name, next), [name]);
  return [layout, setLayout];
}
