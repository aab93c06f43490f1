import { History } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formatAgo, formatElapsed, formatOf } from '../../../ui/format-quantity.ts';
import { Button, IconButton, Popover, showToast, TextField } from '../../../ui/index.ts';
import { clearHistory, type HistoryEntry, openStatement, restoreHistory, sqlStore } from '../store.ts';
import styles from './history-menu.module.css';

/** The search finds the others. */
const shown = 100;

/** Statements that were run in this browser, newest first. */
export function HistoryMenu() {
  const history = useStore(sqlStore, (state) => state.history);
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const wanted = search.trim().toLowerCase();
  const found = history.filter(({ sql }) => sql.toLowerCase().includes(wanted));
  return (
    <Popover
      label="History"
      isOpen={isOpen}
      onOpenChange={setOpen}
      align="end"
      isFlush
      className={styles.panel}
      trigger={<IconButton label="History of statements" icon={<History />} />}
    >
      <div className={styles.search}>
        <TextField
          label="Search the history"
          isLabelHidden
          value={search}
          onChange={setSearch}
          placeholder="Search"
        />
      </div>
      {found.length === 0 && (
        <p className={styles.none}>
          {history.length === 0 ? 'Statements that you run stand here.' : 'No statement has these words.'}
        </p>
      )}
      <ul className={styles.list} aria-label="Statements">
        {found.slice(0, shown).map((entry) => (
          <li key={entry.at + entry.sql}>
            <button
              type="button"
              className={styles.entry}
              onClick={() => {
                openStatement(entry.sql, entry.refs);
                setOpen(false);
              }}
            >
              <code className={styles.sql}>{entry.sql}</code>
              <span className={styles.facts}>{describeEntry(entry)}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > shown && (
        <p className={styles.none}>
          {formatOf(found.length - shown, 'older one', 'older ones')}: search to find them.
        </p>
      )}
      {history.length > 0 && (
        <div className={styles.foot}>
          <Button size="s" look="quiet" onClick={clear}>
            Clear
          </Button>
        </div>
      )}
    </Popover>
  );
}

function clear(): void {
  const before = clearHistory();
  showToast(`Cleared ${formatOf(before.length, 'statement')}`, {
    action: { label: 'Undo', run: () => restoreHistory(before) },
  });
}

function describeEntry({ at, rows, engine, elapsedMs, error }: HistoryEntry): string {
  if (error !== null) return `${formatAgo(at)} · ${error}`;
  const parts = [
    formatAgo(at),
    rows === null ? '' : formatOf(rows, 'row'),
    engine ?? '',
    elapsedMs === null ? '' : formatElapsed(elapsedMs),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
