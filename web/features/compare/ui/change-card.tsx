import { ExternalLink } from 'lucide-react';
import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { goTo } from '../../../state/addresses.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Badge, cx, IconButton } from '../../../ui/index.ts';
import { CellValue, formatValue, type GridColumn, TypeGlyph } from '../../grid/index.ts';
import { type Change, type Row, sidesOf } from '../model/change.ts';
import { listConflicts } from '../model/choices.ts';
import { valueToken } from '../model/value-token.ts';
import { pathOfRow } from '../path-of-row.ts';
import { CellDiff } from './cell-diff.tsx';
import styles from './change-card.module.css';
import { ConflictCell } from './conflict-cell.tsx';
import { FullValue } from './full-value.tsx';
import { useScene } from './scene.ts';
import { mediaOfSide, type SideName } from './side-media.ts';

export interface ChangeCardProps {
  change: Change;
  isCurrent: boolean;
  /** Takes the focus when it becomes the current one, as the keys do. */
  takesFocus: boolean;
  onCurrent: (change: Change) => void;
}

const words = { added: 'added', removed: 'removed', modified: 'modified' } as const;

/** One changed row: which, what changed in it, and what is to be settled. */
export const ChangeCard = memo(function ChangeCard({
  change,
  isCurrent,
  takesFocus,
  onCurrent,
}: ChangeCardProps) {
  const scene = useScene();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isCurrent && takesFocus) card.current?.focus({ preventScroll: true });
  }, [isCurrent, takesFocus]);
  const { before, after, beforeSide } = sidesOf(change, scene.summary.mode);
  const row = after ?? before;
  const label = `${change.keyText}, ${words[change.kind]}${change.columns.length > 0 ? `: ${change.columns.join(', ')}` : ''}${change.conflictKind ? ', conflict' : ''}`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the screen move from card to card
    <article
      ref={card}
      tabIndex={-1}
      aria-label={label}
      aria-current={isCurrent || undefined}
      className={cx(
        styles.card,
        styles[change.kind],
        change.conflictKind && styles.conflict,
        isCurrent && styles.current,
      )}
      onClick={() => onCurrent(change)}
    >
      <header className={styles.head}>
        <Badge tone={change.kind} hasSign>
          {words[change.kind]}
        </Badge>
        <RowThumb change={change} row={row} side={after ? 'from' : beforeSide} />
        <code className={styles.key} title={`Key ${change.keyText}`}>
          {change.keyText}
        </code>
        <span className={styles.title}>{titleOf(scene.columns, row, change)}</span>
        {change.conflictKind && (
          <Badge tone="conflict" hasSign>
            {change.conflictKind === 'cell' ? formatOf(change.conflicts.length, 'conflict') : 'conflict'}
          </Badge>
        )}
        <IconButton
          label={`Open row ${change.keyText}`}
          keys="Enter"
          size="s"
          icon={<ExternalLink />}
          onClick={() => goTo(pathOfRow(scene, change))}
        />
      </header>
      {change.conflictKind ? (
        <ConflictBody change={change} />
      ) : change.kind === 'modified' ? (
        <ModifiedBody change={change} />
      ) : (
        <WholeRow change={change} row={row} side={after ? 'from' : beforeSide} />
      )}
    </article>
  );
});

/** The first text that tells which row it is, besides its key. */
function titleOf(columns: readonly GridColumn[], row: Row | null, change: Change): string {
  const known = new Set([change.keyText, ...change.columns]);
  const column = columns.find(
    ({ kind, name, role }) =>
      kind === 'text' &&
      role !== 'key' &&
      !known.has(name) &&
      typeof row?.[name] === 'string' &&
      row[name] !== change.keyText,
  );
  return column ? formatValue(row?.[column.name], column.parsed).slice(0, 200) : '';
}

function RowThumb({ change, row, side }: { change: Change; row: Row | null; side: SideName }) {
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

interface CellLineProps {
  column: GridColumn;
  children: ReactNode;
}

function CellLine({ column, children }: CellLineProps) {
  return (
    <div className={styles.cell}>
      <dt className={styles.column} title={column.description || column.type}>
        <TypeGlyph column={column} />
        <span className={styles.columnName}>{column.name}</span>
      </dt>
      <dd className={styles.content}>{children}</dd>
    </div>
  );
}

function useColumns(names: readonly string[]): GridColumn[] {
  const { columns } = useScene();
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
}

function ModifiedBody({ change }: { change: Change }) {
  const { comparison, summary, columns, names } = useScene();
  const [hasOthers, setOthers] = useState(false);
  const changed = useColumns(change.columns);
  const { before, after, beforeSide } = sidesOf(change, summary.mode);
  const media = (side: SideName, column: string) =>
    mediaOfSide({ table: comparison.table, summary, change, side, column });
  const others = columns.filter(({ name }) => !change.columns.includes(name));
  const also = summary.mode === 'three-way' ? changedIn(change, others) : [];
  return (
    <>
      <dl className={styles.cells}>
        {changed.map((column) => (
          <CellLine key={column.name} column={column}>
            <CellDiff
              column={column}
              before={before?.[column.name]}
              after={after?.[column.name]}
              beforeMedia={media(beforeSide, column.name)}
              afterMedia={media('from', column.name)}
            />
          </CellLine>
        ))}
        {hasOthers &&
          others.map((column) => (
            <CellLine key={column.name} column={column}>
              <FullValue
                column={column}
                value={after?.[column.name]}
                media={media('from', column.name)}
                pictureHeightPx={72}
              />
            </CellLine>
          ))}
      </dl>
      <footer className={styles.foot}>
        {others.length > 0 && (
          <button type="button" className={styles.others} onClick={() => setOthers(!hasOthers)}>
            {hasOthers ? 'Only what changed' : `${formatOf(others.length, 'column')} as before`}
          </button>
        )}
        {also.length > 0 && (
          <span>
            {names.into} also changed {also.join(', ')} of this row
          </span>
        )}
      </footer>
    </>
  );
}

/** What the receiving side changed in the same row, without touching the same cells. */
const changedIn = ({ base, into }: Change, columns: readonly GridColumn[]): string[] =>
  base && into
    ? columns.filter(({ name }) => valueToken(base[name]) !== valueToken(into[name])).map(({ name }) => name)
    : [];

const shownColumns = 8;

function WholeRow({ change, row, side }: { change: Change; row: Row | null; side: SideName }) {
  const { comparison, summary, columns } = useScene();
  const [isOpen, setOpen] = useState(false);
  const filled = columns.filter(({ name }) => row?.[name] !== null && row?.[name] !== undefined);
  const ordered = [
    ...filled.filter(({ kind }) => kind === 'media'),
    ...filled.filter(({ kind }) => kind !== 'media'),
  ];
  const shown = isOpen ? ordered : ordered.slice(0, shownColumns);
  const empty = columns.length - filled.length;
  return (
    <>
      <dl className={styles.cells}>
        {shown.map((column) => (
          <CellLine key={column.name} column={column}>
            <FullValue
              column={column}
              value={row?.[column.name]}
              media={mediaOfSide({ table: comparison.table, summary, change, side, column: column.name })}
            />
          </CellLine>
        ))}
      </dl>
      <footer className={styles.foot}>
        {ordered.length > shownColumns && (
          <button type="button" className={styles.others} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Fewer columns' : `${formatOf(ordered.length - shownColumns, 'more column')}`}
          </button>
        )}
        {empty > 0 && <span>{formatOf(empty, 'column')} empty</span>}
      </footer>
    </>
  );
}

function ConflictBody({ change }: { change: Change }) {
  const { comparison, summary } = useScene();
  const items = listConflicts([change]);
  const rest = useColumns(change.columns.filter((name) => !change.conflicts.includes(name)));
  const media = (side: SideName, column: string) =>
    mediaOfSide({ table: comparison.table, summary, change, side, column });
  return (
    <>
      {items.map((item) => (
        <ConflictCell key={item.id} change={change} item={item} />
      ))}
      {rest.length > 0 && (
        <dl className={styles.cells}>
          {rest.map((column) => (
            <CellLine key={column.name} column={column}>
              <CellDiff
                column={column}
                before={change.base?.[column.name]}
                after={change.from?.[column.name]}
                beforeMedia={media('base', column.name)}
                afterMedia={media('from', column.name)}
              />
            </CellLine>
          ))}
        </dl>
      )}
    </>
  );
}
