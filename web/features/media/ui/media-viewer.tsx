import { useEffect, useRef, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { EmptyState, ErrorNote, Skeleton } from '../../../ui/index.ts';
import type { GridColumn, GridRow, MediaOf, RowSource } from '../../grid/index.ts';
import { RowViewer } from './row-viewer.tsx';
import styles from './viewer.module.css';
import { ViewerFrame } from './viewer-frame.tsx';

export interface MediaViewerProps {
  table: string;
  detail: TableDetail | undefined;
  columns: readonly GridColumn[];
  source: RowSource;
  media: MediaOf;
  row: GridRow | undefined;
  error: unknown;
  /** The column that was opened; empty for the first of media. */
  column: string;
  /** The row's place in the result; null while it is not known. */
  index: number | null;
  total: number | null;
  onColumn: (column: string) => void;
  onStep: (index: number) => void;
  onClose: () => void;
}

/** One row's picture, video, sound or text on the whole screen, with what is drawn on it. */
export function MediaViewer(props: MediaViewerProps) {
  const { detail, row, error } = props;
  const [kept, setKept] = useState(detail);
  const lastRow = useRef(row);
  useEffect(() => {
    if (detail) setKept(detail);
  }, [detail]);
  if (row) lastRow.current = row;
  const shownDetail = detail ?? kept;
  const shownRow = row ?? lastRow.current;
  return (
    <ViewerFrame label="Viewer">
      {shownDetail && shownRow && !error ? (
        <RowViewer {...props} detail={shownDetail} row={shownRow} />
      ) : (
        <div className={styles.stage}>
          <div className={styles.middle}>
            {error ? (
              <ErrorNote error={error} title="The row cannot be shown." onRetry={props.onClose} />
            ) : shownDetail ? (
              <EmptyState title="The row is on its way" />
            ) : (
              <Skeleton height={240} />
            )}
          </div>
        </div>
      )}
    </ViewerFrame>
  );
}
