import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedQuery, SavedRevision } from '#shared/api/queries.ts';
import { formatAgo, formatMoment } from '../../../ui/format-quantity.ts';
import { Button, cx, Dialog, ErrorNote, Skeleton, showError, showToast } from '../../../ui/index.ts';
import { diffLines } from '../model/diff-lines.ts';
import { changeQuery, savedQuery } from '../queries.ts';
import styles from './history-dialog.module.css';

export interface HistoryDialogProps {
  id: string;
  onRestored?: (query: SavedQuery) => void;
  onClose: () => void;
}

/** A text with what belongs to it, as lines: what the comparison is made of. */
function linesOf({ name, description, sql, view, refs, params, charts = {} }: SavedRevision): string {
  const facts = [
    `name: ${name}`,
    ...(description === '' ? [] : [`description: ${description}`]),
    ...Object.entries(refs).map(([table, ref]) => `reads: ${table}@${ref}`),
    ...params.map((param) => `$${param.name}: ${param.value ?? 'NULL'} (${param.type})`),
    ...Object.entries(charts).map(([cell, chart]) => `chart${cell && ` of ${cell}`}: ${chart}`),
  ];
  return [...facts, '', sql ?? `${view?.table ?? ''}${view?.query ?? ''}`].join('\n');
}

/** Earlier texts of a query, each against the present one, and the way back. */
export function HistoryDialog({ id, onRestored, onClose }: HistoryDialogProps) {
  const client = useQueryClient();
  const { data: query, error } = useQuery(savedQuery(id));
  const [chosen, setChosen] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const shown = query?.history.find(({ revision }) => revision === chosen) ?? query?.history[0];
  const restore = async (
    query: SavedQuery,
    { revision, at: _at, author: _author, ...text }: SavedRevision,
  ) => {
    setBusy(true);
    try {
      const restored = await changeQuery(client, id, { ...text, revision: query.revision });
      showToast(`Text ${revision} is the present one again, as text ${restored.revision}`);
      onRestored?.(restored);
      onClose();
    } catch (thrown) {
      showError(thrown);
      setBusy(false);
    }
  };
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={query ? `Earlier texts of “${query.name}”` : 'Earlier texts'}
      size="l"
      actions={
        query &&
        shown && (
          <>
            <Button onClick={onClose}>Close</Button>
            <Button look="primary" isBusy={isBusy} onClick={() => void restore(query, shown)}>
              Restore text {shown.revision}
            </Button>
          </>
        )
      }
    >
      <ErrorNote error={error} />
      {!query && !error && <Skeleton />}
      {query && !shown && <p className={styles.none}>It has not been changed since it was saved.</p>}
      {query && shown && (
        <div className={styles.body}>
          <ol className={styles.list} aria-label="Earlier texts">
            {query.history.map((text) => (
              <li key={text.revision}>
                <button
                  type="button"
                  className={cx(styles.entry, text === shown && styles.chosen)}
                  aria-current={text === shown}
                  onClick={() => setChosen(text.revision)}
                >
                  <span>Text {text.revision}</span>
                  <span className={styles.when} title={formatMoment(text.at)}>
                    {text.author}, {formatAgo(text.at)}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          <Comparison before={linesOf(shown)} after={linesOf(query)} />
        </div>
      )}
    </Dialog>
  );
}

const signs = { same: ' ', removed: '−', added: '+' } as const;
const words = { same: '', removed: 'only then: ', added: 'only now: ' } as const;

function Comparison({ before, after }: { before: string; after: string }) {
  const lines = diffLines(before, after);
  return (
    <figure className={styles.diff}>
      <figcaption className={styles.legend}>
        <span className={styles.removed}>− then</span> <span className={styles.added}>+ now</span>
      </figcaption>
      <pre className={styles.lines}>
        {lines.map(({ kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
          <div key={index} className={kind === 'same' ? undefined : styles[kind]}>
            <span aria-hidden className={styles.sign}>
              {signs[kind]}
            </span>
            <span className="visually-hidden">{words[kind]}</span>
            {text}
          </div>
        ))}
      </pre>
    </figure>
  );
}
