import { ChevronDown, ChevronUp, Expand, History, Maximize2, Minimize2, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { useCommands } from '../../../state/commands.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { cx, EmptyState, ErrorNote, IconButton, Skeleton, Spacer } from '../../../ui/index.ts';
import {
  type GridColumn,
  type GridRow,
  isLinked,
  mediaOfTable,
  nameColumnOf,
  type RowSource,
  useRow,
} from '../../grid/index.ts';
import styles from './inspector.module.css';
import { CellHistory, InspectorField } from './inspector-field.tsx';
import { MediaStage } from './media-stage.tsx';
import { SimilarRows } from './similar-rows.tsx';

const RowHistoryPanel = lazy(() =>
  import('../../row-history/index.ts').then((module) => ({ default: module.RowHistoryPanel })),
);

const ReplaceMedia = lazy(() =>
  import('../../put-media/index.ts').then((module) => ({ default: module.ReplaceMedia })),
);

const StageAnnotations = lazy(() =>
  import('../../media/index.ts').then((module) => ({ default: module.StageAnnotations })),
);

export interface InspectorProps {
  table: string;
  detail: TableDetail | undefined;
  columns: readonly GridColumn[];
  source: RowSource;
  pinnedRef: string;
  rowId: string;
  /** The row's place in the result; null while it is not known. */
  index: number | null;
  total: number | null;
  onStep: (index: number) => void;
  onGo: (rowId: string) => void;
  onSearchSimilar: (rowId: string, column: string) => void;
  onClose: () => void;
  /** Opens the viewer on a column of the row. */
  onView?: (column: string) => void;
}

/** One row in full: its picture as large as the panel allows, every column, and the rows like it. */
export function Inspector(props: InspectorProps) {
  const { table, columns, source, pinnedRef, rowId, index, total, onStep, onClose } = props;
  const [isLarge, setLarge] = useState(false);
  const [isHistory, setHistory] = useState(false);
  const { row, error, isLoading } = useRow({ table, ref: pinnedRef, rowId, source });
  const canStep = (by: number) => index !== null && total !== null && index + by >= 0 && index + by < total;
  const step = (by: number) => index !== null && canStep(by) && onStep(index + by);
  useCommands([
    {
      id: 'row.next',
      title: 'Next row in the panel',
      group: 'Row panel',
      keys: ['j'],
      whyNot: () => (canStep(1) ? null : 'This is the last row'),
      run: () => step(1),
    },
    {
      id: 'row.previous',
      title: 'Previous row in the panel',
      group: 'Row panel',
      keys: ['k'],
      whyNot: () => (canStep(-1) ? null : 'This is the first row'),
      run: () => step(-1),
    },
    {
      id: 'row.enlarge',
      title: isLarge ? 'Row panel at the side' : 'Row panel over all',
      group: 'Row panel',
      keys: ['Shift+Space'],
      run: () => setLarge(!isLarge),
    },
    {
      id: 'row.history',
      title: isHistory ? 'Values of the row' : 'History of the row',
      group: 'Row panel',
      keys: ['h'],
      run: () => setHistory(!isHistory),
    },
    {
      id: 'row.close',
      title: 'Close the row panel',
      group: 'Row panel',
      keys: ['Escape'],
      run: () => (isLarge ? setLarge(false) : onClose()),
    },
  ]);
  return (
    <aside aria-label="Row" className={cx(styles.panel, isLarge && styles.large)}>
      <header className={styles.head}>
        <h2 className={styles.title}>{titleOf(row, columns) ?? `Row ${rowId}`}</h2>
        <span className={styles.place}>
          {index !== null && total !== null && `${formatCount(index + 1)} of ${formatCount(total)}`}
        </span>
        <Spacer />
        <IconButton
          label="Previous row"
          keys="k"
          size="s"
          icon={<ChevronUp />}
          isDisabled={!canStep(-1)}
          onClick={() => step(-1)}
        />
        <IconButton
          label="Next row"
          keys="j"
          size="s"
          icon={<ChevronDown />}
          isDisabled={!canStep(1)}
          onClick={() => step(1)}
        />
        <IconButton
          label="Row history"
          tip={isHistory ? 'Back to the values' : 'What was done to this row'}
          keys="h"
          size="s"
          icon={<History />}
          isPressed={isHistory}
          onClick={() => setHistory(!isHistory)}
        />
        <IconButton
          label={isLarge ? 'Show at the side' : 'Show over all'}
          keys="Shift+Space"
          size="s"
          icon={isLarge ? <Minimize2 /> : <Maximize2 />}
          onClick={() => setLarge(!isLarge)}
        />
        <IconButton label="Close" keys="Escape" size="s" icon={<X />} onClick={onClose} />
      </header>
      {isHistory ? (
        <Suspense fallback={<Skeleton height={44} className={styles.note} />}>
          <RowHistoryPanel table={table} detail={props.detail} pinnedRef={pinnedRef} rowId={rowId} />
        </Suspense>
      ) : row ? (
        <RowContent {...props} row={row} isLarge={isLarge} />
      ) : (
        <div className={styles.body}>
          {isLoading && <Skeleton height={240} />}
          <ErrorNote error={error} className={styles.note} />
          {!isLoading && !error && <EmptyState title="This row is not here" />}
        </div>
      )}
    </aside>
  );
}

function RowContent({
  table,
  detail,
  columns,
  pinnedRef,
  row,
  isLarge,
  source,
  onGo,
  onSearchSimilar,
  onView,
}: InspectorProps & { row: GridRow; isLarge: boolean }) {
  const shown = columns.filter((column) => !column.isHidden);
  const media = shown.filter(
    (column) =>
      column.kind === 'media' && row.value(column.name) !== null && row.value(column.name) !== undefined,
  );
  const vectors = shown.filter((column) => column.kind === 'vector' && row.value(column.name) !== null);
  const stage = media.length > 0 && (
    <MediaStage
      key={media.map((column) => column.name).join()}
      row={row}
      columns={media}
      media={mediaOfTable(table)}
      isLarge={isLarge}
      actionsOf={(column) => (
        <>
          <CellHistory table={table} detail={detail} pinnedRef={pinnedRef} rowId={row.id} column={column} />
          {onView && (
            <IconButton
              label={`Look at ${column} on the whole screen`}
              keys="v"
              size="s"
              icon={<Expand />}
              onClick={() => onView(column)}
            />
          )}
        </>
      )}
      overlayOf={(column) => (
        <Suspense fallback={null}>
          <StageAnnotations
            table={table}
            detail={detail}
            row={row}
            columns={columns}
            source={source}
            media={column}
          />
        </Suspense>
      )}
      wrapOf={
        detail &&
        ((column, draw) =>
          media.some((one) => one.name === column && isLinked(one)) ? (
            draw(null)
          ) : (
            <Suspense fallback={draw(null)}>
              <ReplaceMedia
                table={table}
                detail={detail}
                rowId={row.id}
                column={column}
                hearsPaste
                className={styles.stageArea}
              >
                {draw}
              </ReplaceMedia>
            </Suspense>
          ))
      }
    />
  );
  return (
    <div className={styles.content}>
      {stage}
      <div className={styles.body}>
        <dl className={styles.fields}>
          {shown
            .filter((column) => !media.includes(column) || isLinked(column))
            .map((column) => (
              <InspectorField
                key={column.name}
                table={table}
                detail={detail}
                pinnedRef={pinnedRef}
                row={row}
                column={column}
                onView={onView}
                hearsPaste={
                  media.length === 0 && column === shown.find((one) => one.kind === 'media' && !isLinked(one))
                }
              />
            ))}
        </dl>
        {vectors.length > 0 && (
          <SimilarRows
            table={table}
            pinnedRef={pinnedRef}
            rowId={row.id}
            vectors={vectors}
            columns={columns}
            onGo={onGo}
            onShowAll={onSearchSimilar}
          />
        )}
      </div>
    </div>
  );
}

/** What a person would call the row. */
function titleOf(row: GridRow | undefined, columns: readonly GridColumn[]): string | null {
  const named = nameColumnOf(columns);
  const value = row && named && row.value(named.name);
  return value === null || value === undefined || value === '' ? null : String(value);
}
