import { createStore } from 'zustand/vanilla';

export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'curio.theme';

const readTheme = (): Theme => {
  const stored = localStorage.getItem(storageKey);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
};

export const themeStore = createStore<{ theme: Theme }>(() => ({ theme: readTheme() }));

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, theme);
  applyTheme(theme);
  themeStore.setState({ theme });
}

export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Whether the page is dark now, for canvases and the editor. */
export const isDark = (): boolean => {
  const { theme } = themeStore.getState();
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
};
