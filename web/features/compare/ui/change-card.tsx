import { Columns3, ExternalLink } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { goTo } from '../../../state/addresses.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Badge, Checkbox, cx, IconButton } from '../../../ui/index.ts';
import { CellValue, formatValue, type GridColumn, nameColumnOf } from '../../grid/index.ts';
import { type Change, type Row, sidesOf } from '../model/change.ts';
import { listConflicts, pickOf } from '../model/choices.ts';
import { pathOfRow } from '../path-of-row.ts';
import { ModifiedBody, WholeRow } from './change-bodies.tsx';
import styles from './change-card.module.css';
import { ConflictBody } from './conflict-body.tsx';
import { type Scene, useBook, useIsSeen, usePicks, useScene } from './scene.ts';
import { mediaOfSide, type SideName } from './side-media.ts';

export interface ChangeCardProps {
  change: Change;
  isCurrent: boolean;
  /** Takes the focus when it becomes the current one, as the keys do. */
  takesFocus: boolean;
  onCurrent: (change: Change) => void;
}

/** How a change is called by those who do not see it. */
export function labelOf({ keyText, kind, columns, conflictKind }: Change): string {
  return [
    `${keyText}, ${kind}${columns.length > 0 ? `: ${columns.join(', ')}` : ''}`,
    ...(conflictKind ? ['conflict'] : []),
  ].join(', ');
}

/** One changed row: which, what changed in it, and what is to be settled. What was seen folds to its head. */
export const ChangeCard = memo(function ChangeCard({
  change,
  isCurrent,
  takesFocus,
  onCurrent,
}: ChangeCardProps) {
  const scene = useScene();
  const card = useRef<HTMLElement>(null);
  const [hasOthers, setOthers] = useState(false);
  const isSeen = useIsSeen(scene.seen, change);
  const isPicked = usePicks(scene.picks).has(change.id);
  const isSettled = useIsSettled(scene, change);
  useEffect(() => {
    if (isCurrent && takesFocus) card.current?.focus({ preventScroll: true });
  }, [isCurrent, takesFocus]);
  const { before, after, beforeSide } = sidesOf(change, scene.summary.mode);
  const row = after ?? before;
  const side: SideName = after ? 'from' : beforeSide;
  const others =
    change.kind === 'modified' && !change.conflictKind ? scene.columns.length - change.columns.length : 0;
  const isFolded = isSeen && isSettled;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the screen move from card to card
    <article
      ref={card}
      tabIndex={-1}
      aria-label={labelOf(change)}
      aria-current={isCurrent || undefined}
      className={cx(styles.card, isCurrent && styles.current, isFolded && styles.folded)}
      onClick={() => onCurrent(change)}
    >
      <header className={styles.head}>
        <Checkbox
          label={`Pick ${change.keyText}`}
          isLabelHidden
          isChecked={isPicked}
          onChange={(next) => scene.picks.toggle([change], next)}
        />
        <Badge tone={change.kind} hasSign>
          {change.kind}
        </Badge>
        <RowThumb change={change} row={row} side={side} />
        <code className={styles.key} title={`Key ${change.keyText}`}>
          {change.keyText}
        </code>
        <span className={styles.title}>
          {isFolded && change.columns.length > 0
            ? change.columns.join(', ')
            : titleOf(scene.columns, row, change)}
        </span>
        {change.conflictKind && isSettled && <Badge>settled</Badge>}
        {change.conflictKind && !isSettled && (
          <Badge tone="conflict" hasSign>
            {change.conflictKind === 'cell' ? formatOf(change.conflicts.length, 'conflict') : 'conflict'}
          </Badge>
        )}
        {scene.slots?.head?.(change)}
        {others > 0 && !isFolded && (
          <IconButton
            label={hasOthers ? 'Only what changed' : `Show the ${formatOf(others, 'other column')}`}
            size="s"
            icon={<Columns3 />}
            isPressed={hasOthers}
            onClick={() => setOthers(!hasOthers)}
          />
        )}
        <IconButton
          label={`Open row ${change.keyText}`}
          keys="Enter"
          size="s"
          icon={<ExternalLink />}
          onClick={() => goTo(pathOfRow(scene, change))}
        />
        <Checkbox label="Seen" isChecked={isSeen} onChange={(next) => scene.seen.mark([change], next)} />
      </header>
      {!isFolded &&
        (change.conflictKind ? (
          <ConflictBody change={change} />
        ) : change.kind === 'modified' ? (
          <ModifiedBody change={change} hasOthers={hasOthers} />
        ) : (
          <WholeRow change={change} row={row} side={side} />
        ))}
      {scene.slots?.foot?.(change)}
    </article>
  );
});

function useIsSettled({ choices }: Scene, change: Change): boolean {
  const book = useBook(choices);
  return change.conflictKind === null || listConflicts([change]).every((item) => pickOf(book, item) !== null);
}

/** What the row is called, besides its key: its title or name, else its first text. */
export function titleOf(columns: readonly GridColumn[], row: Row | null, change: Change): string {
  const known = new Set(change.columns);
  const texts = columns.filter(
    ({ kind, name, role }) => kind === 'text' && role !== 'key' && !known.has(name),
  );
  const named = nameColumnOf(texts);
  const ordered = named ? [named, ...texts.filter((column) => column !== named)] : texts;
  const column = ordered.find(({ name }) => {
    const value = row?.[name];
    return typeof value === 'string' && value !== '' && value !== change.keyText;
  });
  return column ? formatValue(row?.[column.name], column.parsed).slice(0, 200) : '';
}

export function RowThumb({ change, row, side }: { change: Change; row: Row | null; side: SideName }) {
  const { comparison, summary, columns } = useScene();
  const column = columns.find(
    ({ kind, name }) => kind === 'media' && row?.[name] !== null && row?.[name] !== undefined,
  );
  if (!column || !row) return null;
  const media = mediaOfSide({ table: comparison.table, summary, change, side, column: column.name });
  return (
    <span className={styles.thumb} aria-hidden>
      <CellValue column={column} value={row[column.name]} media={media} widthPx={44} heightPx={32} />
    </span>
  );
}
