import { useCallback, useMemo, useState } from 'react';
import type { GraphVersion } from '#shared/api/history.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { useOpenReviews } from '../../../api/index.ts';
import { useCommands } from '../../../state/commands.ts';
import { formatCount, formatMoment, formatOf } from '../../../ui/format-quantity.ts';
import { Button, EmptyState, ErrorNote, Skeleton } from '../../../ui/index.ts';
import { listItems, walkTo } from '../model/graph-items.ts';
import { versionRef } from '../model.ts';
import { useGraph } from '../queries.ts';
import { GraphList } from './graph-list.tsx';
import styles from './history.module.css';
import { HistoryBar, type HistoryFilter, noFilter, toGraphFilter } from './history-bar.tsx';
import { MarkedBar } from './marked-bar.tsx';
import { useVersionActions } from './use-version-actions.tsx';
import { VersionDetail } from './version-detail.tsx';

export interface HistoryViewProps {
  table: string;
  detail: TableDetail;
  refText: string;
  onRefChange: (ref: string) => void;
}

const nothing: readonly GraphVersion[] = [];

/** What happened to a table on all its branches, newest first, as a graph of forks and merges. */
export function HistoryView({ table, detail, onRefChange }: HistoryViewProps) {
  const [filter, setFilter] = useState<HistoryFilter>(noFilter);
  const asked = useMemo(() => toGraphFilter(filter), [filter]);
  const isFiltered = Object.keys(asked).length > 0;
  const graph = useGraph(table, asked);
  const versions = graph.data ? graph.versions : nothing;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const mark = (key: string) => setMarked(marked.symmetricDifference(new Set([key])));
  const items = useMemo(() => listItems(versions, { opened }), [versions, opened]);
  const reviews = useOpenReviews(table);
  const actions = useVersionActions({ table, detail, onRefChange, onSaid: setChosen });
  const version = chosen === null ? undefined : versions.find((one) => versionRef(one) === chosen);
  const authors = useAuthors(versions);
  const change = useCallback((next: HistoryFilter) => setFilter(next), []);
  const walk = (step: Parameters<typeof walkTo>[2]) => {
    const next = walkTo(items, chosen, step);
    if (next !== null) setChosen(next);
  };
  useWalkCommands({ walk, chosen, setChosen, mark, open: () => version && actions.open(version) });
  const { isPending, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = graph;
  return (
    <section className={styles.history} aria-label={`History of ${table}`}>
      <div className={styles.columns}>
        <div className={styles.main}>
          <HistoryBar filter={filter} onChange={change} branches={detail.branches} authors={authors} />
          {isPending && (
            <div className={styles.wait} aria-busy>
              {['a', 'b', 'c'].map((key) => (
                <Skeleton key={key} height={42} />
              ))}
            </div>
          )}
          {!graph.data && (
            <ErrorNote
              error={error}
              title="The history cannot be shown."
              onRetry={() => void refetch()}
              isWhole
            />
          )}
          {graph.data && versions.length === 0 && (
            <EmptyState
              title={isFiltered ? 'No version is like that' : 'Nothing happened yet'}
              action={isFiltered && <Button onClick={() => setFilter(noFilter)}>Show every version</Button>}
            >
              {isFiltered
                ? scopeText(graph, hasNextPage)
                : 'Every edit and merge will stand here, and can be taken back.'}
            </EmptyState>
          )}
          <GraphList
            items={items}
            hasMore={hasNextPage}
            detail={detail}
            shown={formatRef(detail.ref)}
            chosen={chosen}
            reviews={reviews}
            actions={actions}
            onChoose={setChosen}
            marked={marked}
            onMark={mark}
            onUnfold={(key) => setOpened(new Set([...opened, key]))}
            foot={
              graph.data && (
                <div className={styles.foot}>
                  <span>{`${formatCount(versions.length)} ${versions.length === 1 ? 'version' : 'versions'} · ${scopeText(graph, hasNextPage)}`}</span>
                  <ErrorNote
                    error={graph.isFetchNextPageError ? error : null}
                    title="No older versions came."
                  />
                  {hasNextPage && (
                    <Button size="s" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                      {isFiltered ? 'Look further back' : 'Show older versions'}
                    </Button>
                  )}
                </div>
              )
            }
          />
          <MarkedBar
            table={table}
            branches={detail.branches}
            marked={versions.filter((one) => marked.has(versionRef(one)))}
            onDone={() => setMarked(new Set())}
          />
        </div>
        {version && (
          <VersionDetail
            key={chosen}
            table={table}
            version={version}
            actions={actions}
            onClose={() => setChosen(null)}
          />
        )}
      </div>
    </section>
  );
}

/** How far was looked. */
function scopeText(
  { looked, backTo, versions }: { looked: number; backTo: string | null; versions: readonly unknown[] },
  hasMore: boolean,
): string {
  if (!hasMore)
    return looked === versions.length
      ? 'all of the history'
      : `all of the history, ${formatOf(looked, 'version')} looked at`;
  return backTo ? `looked back to ${formatMoment(backTo)}` : 'more is there';
}

function useAuthors(versions: readonly GraphVersion[]): string[] {
  const [known, setKnown] = useState<readonly string[]>([]);
  const found = versions.flatMap(({ author }) => author ?? []);
  const all = [...new Set([...known, ...found])].sort();
  if (all.length > known.length) setKnown(all);
  return all;
}

interface Walking {
  walk: (step: 1 | -1 | 'first' | 'last') => void;
  chosen: string | null;
  setChosen: (key: string | null) => void;
  mark: (key: string) => void;
  open: () => void;
}

function useWalkCommands({ walk, chosen, setChosen, mark, open }: Walking): void {
  const group = 'History';
  const whyNone = () => (chosen === null ? 'No version is chosen' : null);
  useCommands([
    { id: 'history.next', title: 'Older version', group, keys: ['j', 'ArrowDown'], run: () => walk(1) },
    { id: 'history.previous', title: 'Newer version', group, keys: ['k', 'ArrowUp'], run: () => walk(-1) },
    { id: 'history.first', title: 'Newest version', group, keys: ['Home'], run: () => walk('first') },
    { id: 'history.last', title: 'Oldest loaded version', group, keys: ['End'], run: () => walk('last') },
    {
      id: 'history.open',
      title: 'Open the table at the version',
      group,
      keys: ['o'],
      whyNot: whyNone,
      run: open,
    },
    {
      id: 'history.mark',
      title: 'Mark the version, to bring several to another branch or revert them',
      group,
      keys: ['x'],
      whyNot: whyNone,
      run: () => chosen !== null && mark(chosen),
    },
    {
      id: 'history.close',
      title: 'Close the version',
      group,
      keys: ['Escape'],
      whyNot: whyNone,
      run: () => setChosen(null),
    },
  ]);
}
