import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { GraphVersion } from '#shared/api/history.ts';
import type { ReviewSummary } from '#shared/api/reviews.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import { type GraphItem, toLaneNode } from '../model/graph-items.ts';
import { planLanes } from '../model/plan-lanes.ts';
import { tagsOf, versionRef } from '../model.ts';
import styles from './history.module.css';
import { LaneCell } from './lane-cell.tsx';
import type { VersionActions } from './use-version-actions.tsx';
import { VersionRow, versionPx } from './version-row.tsx';

const dayPx = 32;
const foldPx = 28;
const overscan = 14;

export interface GraphListProps {
  items: readonly GraphItem[];
  hasMore: boolean;
  detail: TableDetail;
  /** The ref that the table is shown at. */
  shown: string;
  chosen: string | null;
  reviews: readonly ReviewSummary[];
  actions: VersionActions;
  onChoose: (key: string) => void;
  marked: ReadonlySet<string>;
  onMark: (key: string) => void;
  onUnfold: (key: string) => void;
  foot: ReactNode;
}

const heightOf = ({ type }: GraphItem): number =>
  type === 'version' ? versionPx : type === 'day' ? dayPx : foldPx;

/** The versions as a list that can be read and walked, with their lanes drawn beside; only what is in sight is there. */
export function GraphList(props: GraphListProps) {
  const { items, hasMore, detail, shown, chosen, reviews, actions, onChoose, onUnfold, foot } = props;
  const { marked, onMark } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { branches } = detail;
  const plan = useMemo(() => {
    const forks = new Map(branches.map(({ name, parent }) => [name, parent]));
    const forkOf = (branch: string) => forks.get(branch) ?? null;
    return planLanes({ rows: items.map(toLaneNode), forkOf, primary: mainBranch, hasMore });
  }, [items, branches, hasMore]);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(items[index]!),
    getItemKey: (index) => items[index]!.key,
    overscan,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other items have other heights
  useEffect(() => virtualizer.measure(), [items, virtualizer]);
  const chosenAt = items.findIndex(({ key }) => key === chosen);
  useEffect(() => {
    if (chosenAt === -1) return;
    virtualizer.scrollToIndex(chosenAt);
    const frame = requestAnimationFrame(() => {
      const isHere = scroller.current?.contains(document.activeElement);
      const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${chosenAt}"] button`);
      if (isHere || document.activeElement === document.body) row?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [chosenAt, virtualizer]);
  const entry = chosenAt === -1 ? items.findIndex(({ type }) => type === 'version') : chosenAt;
  return (
    <div className={styles.scroller} ref={scroller}>
      <ol className={styles.graph} style={{ height: virtualizer.getTotalSize() }} aria-label="Versions">
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const item = items[index]!;
          const isVersion = item.type === 'version';
          const isShown = item.key === shown;
          return (
            <li
              key={key}
              data-index={index}
              className={cx(
                styles.item,
                isVersion && styles.version,
                isShown && styles.shown,
                item.key === chosen && styles.chosen,
              )}
              style={{ top: start, height: heightOf(item) }}
              aria-label={isVersion ? `Version ${item.key}` : undefined}
              aria-current={isShown || undefined}
              aria-setsize={hasMore ? -1 : items.length}
              aria-posinset={index + 1}
            >
              {isVersion ? (
                <VersionRow
                  version={item.version}
                  row={plan.rows[index]!}
                  lanes={plan.lanes}
                  heads={headsAt(item.version, detail)}
                  tags={tagsOf(item.version, detail.tags)}
                  reviews={
                    actions.isHead(item.version)
                      ? reviews.filter(({ from }) => from === item.version.branch)
                      : []
                  }
                  isShown={isShown}
                  isChosen={item.key === chosen}
                  isEntry={index === entry}
                  onChoose={() => onChoose(item.key)}
                  isMarked={marked.has(item.key)}
                  onMark={() => onMark(item.key)}
                  actions={actions}
                />
              ) : (
                <>
                  <LaneCell row={plan.rows[index]!} lanes={plan.lanes} heightPx={heightOf(item)} />
                  {item.type === 'day' ? (
                    <h2 className={styles.day}>{item.label}</h2>
                  ) : (
                    <button type="button" className={styles.fold} onClick={() => onUnfold(item.key)}>
                      <ChevronRight size={13} aria-hidden />
                      {formatOf(item.versions.length, 'version')} that left the rows as they were
                    </button>
                  )}
                </>
              )}
            </li>
          );
        })}
      </ol>
      {foot}
    </div>
  );
}

/** Branches that end at a version: its own, and those that were forked there and have nothing of their own. */
function headsAt({ branch, version }: GraphVersion, { branches }: TableDetail) {
  const ref = versionRef({ branch, version });
  return branches.filter(({ name, version: head, parent }) =>
    parent && head === parent.version ? versionRef(parent) === ref : name === branch && head === version,
  );
}
