import { Link2, Play, Square } from 'lucide-react';
import { useStore } from 'zustand';
import { Button, Chip, IconButton, Select, Spacer, showToast } from '../../../ui/index.ts';
import { formatSqlLink } from '../model/sql-link.ts';
import type { Run } from '../runs.ts';
import { type SqlTab, setChoice, setRefs, sqlStore } from '../store.ts';
import { ExportMenu } from './export-menu.tsx';
import { HistoryMenu } from './history-menu.tsx';
import styles from './sql-page.module.css';

const choices = [
  { value: 'auto', label: 'Automatic', hint: 'the browser when it can' },
  { value: 'browser', label: 'Browser', hint: 'DuckDB in this page' },
  { value: 'server', label: 'Server', hint: 'DuckDB on the server' },
] as const;

export interface ToolbarProps {
  tab: SqlTab;
  run: Run | undefined;
  onRun: () => void;
  onCancel: () => void;
}

/** What can be done with the statement. */
export function Toolbar({ tab, run, onRun, onCancel }: ToolbarProps) {
  const choice = useStore(sqlStore, (state) => state.choice);
  const isRunning = run?.progress !== null && run?.progress !== undefined;
  return (
    <div className={styles.toolbar}>
      <Button
        look="primary"
        icon={<Play />}
        keys="Mod+Enter"
        tip="Run the selection, or the statement at the caret"
        whyNot={tab.sql.trim() === '' && 'Write a statement first.'}
        onClick={onRun}
      >
        Run
      </Button>
      <Button icon={<Square />} isDisabled={!isRunning} onClick={onCancel}>
        Cancel
      </Button>
      <Select label="Engine" isQuiet value={choice} options={choices} onChange={setChoice} />
      {Object.entries(tab.refs).map(([table, ref]) => (
        <Chip
          key={table}
          name={`${table} at ${ref}`}
          onRemove={() =>
            setRefs(tab.id, Object.fromEntries(Object.entries(tab.refs).filter(([name]) => name !== table)))
          }
        >
          {table}@{ref}
        </Chip>
      ))}
      <Spacer />
      <IconButton
        label="Copy a link to this statement and these rows"
        icon={<Link2 />}
        isDisabled={tab.sql.trim() === ''}
        onClick={() => void copyLink(tab, run)}
      />
      <HistoryMenu />
      <ExportMenu result={run?.result ?? null} />
    </div>
  );
}

/** Pinned where it is known what bare names meant, so that the link shows the same rows later. */
async function copyLink(tab: SqlTab, run: Run | undefined): Promise<void> {
  const result = run?.result;
  const refs = result && tab.sql.includes(result.sql) ? result.refs : tab.refs;
  await navigator.clipboard.writeText(new URL(formatSqlLink({ sql: tab.sql, refs }), location.href).href);
  showToast(Object.keys(refs).length > 0 ? 'Copied a link that will show these rows' : 'Copied a link');
}
