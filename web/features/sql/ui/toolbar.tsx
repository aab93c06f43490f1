import { Ellipsis, Link2, Play, Save, Square } from 'lucide-react';
import { runCommand } from '../../../state/commands.ts';
import {
  Button,
  Chip,
  IconButton,
  Menu,
  Segmented,
  Select,
  Spacer,
  showError,
  showToast,
} from '../../../ui/index.ts';
import { downloadQuery } from '../../queries/index.ts';
import { formatSqlLink, maxLinkLength } from '../model/sql-link.ts';
import type { Run } from '../runs.ts';
import { refsShown } from '../saved.ts';
import { changeTab, isDirty, type SqlTab } from '../store.ts';
import { ExportMenu } from './export-menu.tsx';
import { HistoryMenu } from './history-menu.tsx';
import type { QueryDialogKind } from './query-dialogs.tsx';
import styles from './sql-page.module.css';

const choices = [
  { value: 'auto', label: 'Automatic', hint: 'the browser when it can' },
  { value: 'browser', label: 'Browser', hint: 'DuckDB in this page' },
  { value: 'server', label: 'Server', hint: 'DuckDB on the server' },
] as const;

export interface ToolbarProps {
  tab: SqlTab;
  run: Run | undefined;
  isRunning: boolean;
  onRun: () => void;
  onCancel: () => void;
  onSave: () => void;
  onDialog: (kind: QueryDialogKind) => void;
}

/** What can be done with the text. */
export function Toolbar({ tab, run, isRunning, onRun, onCancel, onSave, onDialog }: ToolbarProps) {
  const isEmpty = tab.sql.trim() === '';
  const whyEmpty = isEmpty && 'Write a statement first.';
  return (
    <div className={styles.toolbar}>
      <Button
        look="primary"
        icon={<Play />}
        keys="Mod+Enter"
        tip="Run the selection, or the statement at the caret"
        whyNot={whyEmpty}
        onClick={onRun}
      >
        Run
      </Button>
      <Button icon={<Square />} isDisabled={!isRunning} onClick={onCancel}>
        Cancel
      </Button>
      <Select
        label="Engine"
        isQuiet
        value={tab.choice}
        options={choices}
        onChange={(choice) => changeTab(tab.id, { choice })}
      />
      <RefChips tab={tab} />
      <Spacer />
      <Button look="quiet" icon={<Save />} keys="Mod+S" whyNot={whyEmpty} onClick={onSave}>
        {tab.saved && !isDirty(tab) ? 'Saved' : 'Save'}
      </Button>
      <LinkMenu tab={tab} />
      <HistoryMenu />
      <ExportMenu result={run?.result ?? null} />
      <MoreMenu tab={tab} onDialog={onDialog} />
    </div>
  );
}

/** Which refs bare names mean; for a saved query those that it pins or the latest. */
function RefChips({ tab }: { tab: SqlTab }) {
  const refs = Object.entries(tab.refs);
  const pinned = tab.saved?.refs ?? {};
  const isAsSaved = refs.length > 0 && refs.every(([table, ref]) => pinned[table] === ref);
  const shown = isAsSaved ? [] : refs;
  const setRefs = (next: Record<string, string>) => changeTab(tab.id, { refs: next });
  return (
    <div className={styles.chips}>
      {Object.keys(pinned).length > 0 ? (
        <Segmented<'pinned' | 'latest'>
          label="Versions"
          value={refs.length > 0 ? 'pinned' : 'latest'}
          onChange={(at) => setRefs(at === 'pinned' ? pinned : {})}
          options={[
            { value: 'pinned', label: 'As saved' },
            { value: 'latest', label: 'Latest' },
          ]}
        />
      ) : (
        refs.length > 0 && (
          <Button size="s" look="quiet" tip="Read the newest versions" onClick={() => setRefs({})}>
            Latest
          </Button>
        )
      )}
      {shown.map(([table, ref]) => (
        <Chip
          key={table}
          name={`${table} at ${ref}`}
          onRemove={() => setRefs(Object.fromEntries(refs.filter(([name]) => name !== table)))}
        >
          {table}@{ref}
        </Chip>
      ))}
    </div>
  );
}

/** Links that show the same rows for ever, and links that follow the tables. */
function LinkMenu({ tab }: { tab: SqlTab }) {
  const isEmpty = tab.sql.trim() === '';
  return (
    <Menu
      label="Links"
      align="end"
      trigger={<IconButton label="Copy a link" icon={<Link2 />} isDisabled={isEmpty} />}
      items={[
        {
          id: 'pinned',
          label: 'Copy link',
          hint: 'these versions',
          onSelect: () => void copyLink(tab, refsShown(tab)).catch(showError),
        },
        {
          id: 'latest',
          label: 'Copy link to the latest',
          hint: 'whatever the tables hold then',
          onSelect: () => void copyLink(tab, {}).catch(showError),
        },
      ]}
    />
  );
}

async function copyLink({ sql, params, charts }: SqlTab, refs: Record<string, string>): Promise<void> {
  const link = formatSqlLink({ sql, refs, params, charts });
  if (link.length > maxLinkLength) {
    showToast('The text is too long for a link', { hint: 'Save it as a query and share that.' });
    return;
  }
  await navigator.clipboard.writeText(new URL(link, location.href).href);
  const pins = Object.entries(refs).map(([table, ref]) => `${table}@${ref}`);
  showToast(pins.length > 0 ? `Copied a link to ${pins.join(', ')}` : 'Copied a link to the latest');
}

function MoreMenu({ tab, onDialog }: { tab: SqlTab; onDialog: (kind: QueryDialogKind) => void }) {
  const { saved } = tab;
  const whyNot = saved ? null : 'Save it first.';
  return (
    <Menu
      label="More"
      align="end"
      trigger={<IconButton label="More" icon={<Ellipsis />} />}
      items={[
        { id: 'explain', label: 'Explain', keys: 'Mod+E', onSelect: () => runCommand('sql.explain') },
        { id: 'format', label: 'Format', keys: 'Mod+Shift+F', onSelect: () => runCommand('sql.format') },
        { id: 'cell', label: 'Add a cell', onSelect: () => runCommand('sql.addCell') },
        {
          id: 'all',
          label: 'Run all cells',
          keys: 'Mod+Shift+Enter',
          onSelect: () => runCommand('sql.runAll'),
        },
        'line',
        {
          id: 'saveAs',
          label: saved ? 'Save as a fork…' : 'Save as…',
          keys: 'Mod+Shift+S',
          whyNot: tab.sql.trim() === '' && 'Write a statement first.',
          onSelect: () => onDialog('saveAs'),
        },
        { id: 'facts', label: 'Name and description…', whyNot, onSelect: () => onDialog('facts') },
        { id: 'history', label: 'Earlier texts…', whyNot, onSelect: () => onDialog('history') },
        { id: 'file', label: 'Download as file', whyNot, onSelect: () => saved && downloadQuery(saved.id) },
      ]}
    />
  );
}
