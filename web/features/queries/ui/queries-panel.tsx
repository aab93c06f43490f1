import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis, FileCode2, FileInput, Table2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { SavedQuerySummary } from '#shared/api/queries.ts';
import { goTo, queryPath } from '../../../state/addresses.ts';
import { formatAgo, formatMoment, formatOf } from '../../../ui/format-quantity.ts';
import {
  Button,
  cx,
  ErrorNote,
  IconButton,
  Menu,
  Note,
  Skeleton,
  showError,
  showToast,
  TextField,
} from '../../../ui/index.ts';
import {
  deleteQuery,
  describeQueryAs,
  downloadQuery,
  forkQuery,
  importQueryFiles,
  useSavedQueries,
} from '../queries.ts';
import { HistoryDialog } from './history-dialog.tsx';
import styles from './queries.module.css';
import { SaveDialog } from './save-dialog.tsx';

export interface QueriesPanelProps {
  /** The query that is on the screen. */
  activeId: string | null;
  onDeleted?: (query: SavedQuerySummary) => void;
}

const hasWords = (
  { name, description, sql = '', view }: SavedQuerySummary,
  words: readonly string[],
): boolean => {
  const text = `${name}\n${description}\n${sql}\n${view?.table ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** Saved queries and views: find, open, fork, rename, earlier texts, files, delete. */
export function QueriesPanel({ activeId, onDeleted }: QueriesPanelProps) {
  const { data: queries, error, refetch } = useSavedQueries();
  const [search, setSearch] = useState('');
  const [dialog, setDialog] = useState<{ kind: 'facts' | 'history'; query: SavedQuerySummary } | null>(null);
  const client = useQueryClient();
  const found = queries?.filter((query) =>
    hasWords(query, search.toLowerCase().split(/\s+/).filter(Boolean)),
  );
  return (
    <div className={styles.panel}>
      <div className={styles.search}>
        <TextField
          label="Search the saved queries"
          isLabelHidden
          placeholder="Name, description or SQL"
          value={search}
          onChange={setSearch}
        />
      </div>
      <ErrorNote error={error} title="The queries cannot be listed." onRetry={() => void refetch()} />
      {!queries && !error && (
        <div className={styles.none}>
          <Skeleton />
        </div>
      )}
      {queries?.length === 0 && (
        <p className={styles.none}>
          Nothing is saved yet. Write a statement and press Ctrl+S; it keeps the versions that it reads.
        </p>
      )}
      {found?.length === 0 && queries?.length !== 0 && (
        <p className={styles.none}>No query has these words.</p>
      )}
      <ul className={styles.list} aria-label="Saved queries">
        {found?.map((query) => (
          <QueryItem
            key={query.id}
            query={query}
            isActive={query.id === activeId}
            onDialog={(kind) => setDialog({ kind, query })}
            onDeleted={onDeleted}
          />
        ))}
      </ul>
      <ImportFoot />
      {dialog?.kind === 'history' && <HistoryDialog id={dialog.query.id} onClose={() => setDialog(null)} />}
      {dialog?.kind === 'facts' && (
        <SaveDialog
          title="Name and description"
          action="Change"
          initial={dialog.query}
          onSave={(facts) => describeQueryAs(client, dialog.query, facts)}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}

interface QueryItemProps {
  query: SavedQuerySummary;
  isActive: boolean;
  onDialog: (kind: 'facts' | 'history') => void;
  onDeleted?: (query: SavedQuerySummary) => void;
}

function QueryItem({ query, isActive, onDialog, onDeleted }: QueryItemProps) {
  const client = useQueryClient();
  const { id, name, description, at, author, view, refs } = query;
  const attempt = (work: () => Promise<unknown>) => () => void work().catch(showError);
  const Glyph = view ? Table2 : FileCode2;
  return (
    <li className={cx(styles.item, isActive && styles.active)}>
      <button
        type="button"
        className={styles.open}
        aria-current={isActive}
        title={description === '' ? undefined : description}
        onClick={() => goTo(queryPath(id))}
      >
        <Glyph className={styles.glyph} aria-hidden />
        <span className={styles.name}>{name}</span>
        <span className={styles.facts} title={formatMoment(at)}>
          {view ? `View of ${view.table}, ` : ''}
          {author}, {formatAgo(at)}
        </span>
      </button>
      <Menu
        label={`Actions of ${name}`}
        align="end"
        trigger={
          <IconButton label={`Actions of ${name}`} size="s" icon={<Ellipsis />} className={styles.more} />
        }
        items={[
          {
            id: 'pinned',
            label: 'Open as it was saved',
            hint: Object.entries(refs)
              .map(([table, ref]) => `${table}@${ref}`)
              .join(', '),
            onSelect: () => goTo(queryPath(id)),
          },
          { id: 'latest', label: 'Open on the latest', onSelect: () => goTo(`${queryPath(id)}?at=latest`) },
          'line',
          { id: 'facts', label: 'Name and description…', onSelect: () => onDialog('facts') },
          { id: 'history', label: 'Earlier texts…', onSelect: () => onDialog('history') },
          {
            id: 'fork',
            label: 'Fork',
            onSelect: attempt(async () => goTo(queryPath((await forkQuery(client, query)).id))),
          },
          { id: 'file', label: 'Download as file', hint: '.sql', onSelect: () => downloadQuery(id) },
          'line',
          {
            id: 'delete',
            label: 'Delete',
            isDanger: true,
            onSelect: attempt(async () => {
              await deleteQuery(client, query);
              onDeleted?.(query);
            }),
          },
        ]}
      />
    </li>
  );
}

/** Files from a folder in git come in here; what was refused says why. */
function ImportFoot() {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<ReactNode[]>([]);
  const take = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const outcomes = await importQueryFiles(client, files);
    setRefused(outcomes.flatMap(({ path, why }) => (why === null ? [] : [`${path}: ${why}`])));
    const count = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).length;
    const parts = [
      [count('created'), 'new'],
      [count('updated'), 'changed'],
      [count('unchanged'), 'as they were'],
    ].flatMap(([n, word]) => (n === 0 ? [] : [`${n} ${word}`]));
    if (parts.length > 0) showToast(`${formatOf(outcomes.length, 'file')}: ${parts.join(', ')}`);
  };
  return (
    <div className={styles.foot}>
      {refused.length > 0 && (
        <Note tone="warn">
          {refused.map((why, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
            <div key={index}>{why}</div>
          ))}
        </Note>
      )}
      <input
        ref={input}
        type="file"
        accept=".sql,text/plain,application/sql"
        multiple
        hidden
        aria-label="Files of queries"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          void take(files).catch(showError);
        }}
      />
      <Button size="s" look="quiet" icon={<FileInput />} onClick={() => input.current?.click()}>
        Open files…
      </Button>
    </div>
  );
}
