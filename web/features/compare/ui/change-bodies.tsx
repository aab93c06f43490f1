import { type ReactNode, useState } from 'react';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import { type GridColumn, readBlobCell, TypeGlyph } from '../../grid/index.ts';
import { type Change, type Row, sidesOf } from '../model/change.ts';
import { valueToken } from '../model/value-token.ts';
import { AnnotationDiff } from './annotation-diff.tsx';
import { CellDiff } from './cell-diff.tsx';
import styles from './change-card.module.css';
import { FullValue } from './full-value.tsx';
import { MaskDiff } from './mask-diff.tsx';
import { useScene } from './scene.ts';
import { mediaOfSide, type SideName } from './side-media.ts';

const shownColumns = 8;
const shownChanged = 16;

function CellLine({
  column,
  change,
  isWide,
  children,
}: {
  column: GridColumn;
  change: Change;
  isWide?: boolean;
  children: ReactNode;
}) {
  const { slots } = useScene();
  const slot = slots?.cell?.(change, column.name);
  return (
    <div className={cx(styles.cell, isWide && styles.wide)} data-column={column.name}>
      <dt className={styles.column} title={column.description || column.type}>
        <TypeGlyph column={column} />
        <span className={styles.columnName}>{column.name}</span>
      </dt>
      <dd className={cx(styles.content, slot != null && styles.hasSlot)}>
        {children}
        {slot != null && <span className={styles.slot}>{slot}</span>}
      </dd>
    </div>
  );
}

const isMask = ({ kind, role }: GridColumn): boolean => kind === 'media' && role === 'mask';

/** The picture that the masks of a row are masks of. */
const pictureOf = (columns: readonly GridColumn[], row: Row | null): GridColumn | undefined =>
  columns.find(
    (column) =>
      column.kind === 'media' && !isMask(column) && readBlobCell(row?.[column.name])?.kind === 'image',
  );

export interface ChangedCellsProps {
  change: Change;
  names: readonly string[];
  before: { row: Row | null; side: SideName };
  after: { row: Row | null; side: SideName };
}

/** Cells of one row, one side against another. */
export function ChangedCells({ change, names, before, after }: ChangedCellsProps) {
  const { comparison, summary, columns, layouts } = useScene();
  const media = (side: SideName, column: string) =>
    mediaOfSide({ table: comparison.table, summary, change, side, column });
  const drawnOn = (layout: AnnotationLayout) =>
    columns.find(({ name, kind }) => kind === 'media' && (!layout.media || layout.media === name));
  const shown = new Set<AnnotationLayout>();
  return columns
    .filter(({ name }) => names.includes(name))
    .map((column) => {
      const layout = layouts.get(column.name);
      const found = layout && !shown.has(layout) ? drawnOn(layout) : undefined;
      const cell = found && readBlobCell((after.row ?? before.row)?.[found.name]);
      const picture = cell?.kind === 'image' ? found : undefined;
      const side = after.row?.[picture?.name ?? ''] ? after.side : before.side;
      const address = picture && media(side, picture.name);
      if (layout && address) shown.add(layout);
      const masked = isMask(column) ? pictureOf(columns, after.row ?? before.row) : undefined;
      const ground = masked && media(after.row?.[masked.name] ? after.side : before.side, masked.name);
      const cellDiff = (
        <CellDiff
          column={column}
          before={before.row?.[column.name]}
          after={after.row?.[column.name]}
          beforeMedia={media(before.side, column.name)}
          afterMedia={media(after.side, column.name)}
          self={{ before: change.rowIds[before.side], after: change.rowIds[after.side] }}
        />
      );
      if (ground)
        return (
          <CellLine key={column.name} column={column} change={change}>
            <MaskDiff
              label={column.name}
              before={before.row?.[column.name] ? media(before.side, column.name) : null}
              after={after.row?.[column.name] ? media(after.side, column.name) : null}
              media={ground}
            >
              {cellDiff}
            </MaskDiff>
          </CellLine>
        );
      return (
        <CellLine key={column.name} column={column} change={change}>
          {layout && address && (
            <AnnotationDiff
              label={column.name}
              layout={layout}
              columns={columns}
              before={before.row}
              after={after.row}
              media={address}
            />
          )}
          {(!layout || !address || layout.many === 'row') && cellDiff}
        </CellLine>
      );
    });
}

/** A row that one side changed: its changed cells first, the others when they are wanted. */
export function ModifiedBody({ change, hasOthers }: { change: Change; hasOthers: boolean }) {
  const { comparison, summary, columns, names } = useScene();
  const { before, after, beforeSide } = sidesOf(change, summary.mode);
  const [isAll, setAll] = useState(false);
  const shown = isAll ? change.columns : change.columns.slice(0, shownChanged);
  const hidden = change.columns.length - shown.length;
  const others = columns.filter(({ name }) => !change.columns.includes(name));
  const also = summary.mode === 'three-way' ? changedIn(change, others) : [];
  return (
    <>
      <dl className={styles.cells}>
        <ChangedCells
          change={change}
          names={shown}
          before={{ row: before, side: beforeSide }}
          after={{ row: after, side: 'from' }}
        />
        {hasOthers &&
          others.map((column) => (
            <CellLine key={column.name} column={column} change={change}>
              <FullValue
                column={column}
                value={after?.[column.name]}
                media={mediaOfSide({
                  table: comparison.table,
                  summary,
                  change,
                  side: 'from',
                  column: column.name,
                })}
                pictureHeightPx={72}
              />
            </CellLine>
          ))}
      </dl>
      {hidden > 0 && (
        <footer className={styles.foot}>
          <button type="button" className={styles.others} onClick={() => setAll(true)}>
            {formatOf(hidden, 'more changed column')}
          </button>
        </footer>
      )}
      {also.length > 0 && (
        <footer className={styles.foot}>
          {names.into} also changed {also.join(', ')} of this row; that stays.
        </footer>
      )}
    </>
  );
}

/** What the receiving side changed in the same row, without touching the same cells. */
const changedIn = ({ base, into }: Change, columns: readonly GridColumn[]): string[] =>
  base && into
    ? columns.filter(({ name }) => valueToken(base[name]) !== valueToken(into[name])).map(({ name }) => name)
    : [];

const narrowChars = 56;

/** Whether a value needs the whole width of the card. */
const isWide = ({ kind }: GridColumn, value: unknown): boolean =>
  ['media', 'vector', 'list', 'struct', 'json'].includes(kind) ||
  ((kind === 'text' || kind === 'url') && String(value).length > narrowChars);

/** A row that came or went, media first, empty columns left out. */
export function WholeRow({ change, row, side }: { change: Change; row: Row | null; side: SideName }) {
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
      <dl className={styles.whole}>
        {shown.map((column) => (
          <CellLine
            key={column.name}
            column={column}
            change={change}
            isWide={isWide(column, row?.[column.name])}
          >
            <FullValue
              column={column}
              value={row?.[column.name]}
              media={mediaOfSide({ table: comparison.table, summary, change, side, column: column.name })}
            />
          </CellLine>
        ))}
      </dl>
      {(ordered.length > shownColumns || empty > 0) && (
        <footer className={styles.foot}>
          {ordered.length > shownColumns && (
            <button type="button" className={styles.others} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Fewer columns' : formatOf(ordered.length - shownColumns, 'more column')}
            </button>
          )}
          {empty > 0 && <span>{formatOf(empty, 'empty column')}</span>}
        </footer>
      )}
    </>
  );
}
