import type { SqlTab } from '../store.ts';

const maxLength = 48;

/** What a tab is called: its query, else the first words of its text, without comments. */
export function titleOf({ sql, saved }: Pick<SqlTab, 'sql' | 'saved'>): string {
  if (saved) return saved.name;
  const text = sql.replace(/--.*$/gm, ' ').replace(/\s+/g, ' ').trim();
  return text === '' ? 'New statement' : text.slice(0, maxLength);
}
