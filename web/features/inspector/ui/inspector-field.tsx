import { Expand } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { IconButton } from '../../../ui/index.ts';
import { type GridColumn, type GridRow, isLinked, isWorthAPage } from '../../grid/index.ts';
import styles from './inspector.module.css';
import { Value } from './value.tsx';

const EditableValue = lazy(() =>
  import('../../edit/index.ts').then((module) => ({ default: module.EditableValue })),
);
const ReplaceMedia = lazy(() =>
  import('../../put-media/index.ts').then((module) => ({ default: module.ReplaceMedia })),
);
const CellHistoryButton = lazy(() =>
  import('../../row-history/index.ts').then((module) => ({ default: module.CellHistoryButton })),
);

export interface CellHistoryProps {
  table: string;
  detail: TableDetail | undefined;
  pinnedRef: string;
  rowId: string;
  column: string;
  className?: string;
}

/** The way to a cell's history; there as soon as its code is. */
export const CellHistory = (props: CellHistoryProps) => (
  <Suspense fallback={null}>
    <CellHistoryButton {...props} />
  </Suspense>
);

export interface InspectorFieldProps {
  table: string;
  detail: TableDetail | undefined;
  pinnedRef: string;
  row: GridRow;
  column: GridColumn;
  /** An empty cell of media: it takes what is pasted. */
  hearsPaste?: boolean;
  /** Opens the viewer on the column. */
  onView?: (column: string) => void;
}

/** A column of the row: its value in full, to change in its place, with its history. */
export function InspectorField({
  table,
  detail,
  pinnedRef,
  row,
  column,
  hearsPaste,
  onView,
}: InspectorFieldProps) {
  const value = row.value(column.name);
  const actions = (
    <>
      {onView && isWorthAPage(row, column) && (
        <IconButton
          label={`Read ${column.name} on the whole screen`}
          size="s"
          side="left"
          icon={<Expand />}
          className={styles.copy}
          onClick={() => onView(column.name)}
        />
      )}
      <CellHistory
        table={table}
        detail={detail}
        pinnedRef={pinnedRef}
        rowId={row.id}
        column={column.name}
        className={styles.copy}
      />
    </>
  );
  const show = (current: unknown) => <Value value={current} column={column} actions={actions} />;
  return (
    <div className={styles.field}>
      <dt className={styles.name} title={[column.type, column.description].filter(Boolean).join(' · ')}>
        {column.name}
      </dt>
      <dd className={styles.value}>
        {detail && column.kind === 'media' && !isLinked(column) ? (
          <Suspense fallback={show(value)}>
            <ReplaceMedia
              table={table}
              detail={detail}
              rowId={row.id}
              column={column.name}
              hearsPaste={hearsPaste}
              isEmpty
            >
              {(button) => (
                <div className={styles.valueLine}>
                  <div className={styles.valueText}>
                    <em className={styles.null}>null</em>
                  </div>
                  {button}
                  {actions}
                </div>
              )}
            </ReplaceMedia>
          </Suspense>
        ) : detail ? (
          <Suspense fallback={show(value)}>
            <EditableValue table={table} detail={detail} row={row.id} column={column} value={value}>
              {show}
            </EditableValue>
          </Suspense>
        ) : (
          show(value)
        )}
      </dd>
    </div>
  );
}
