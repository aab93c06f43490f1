import { useState } from 'react';
import type { CellStep, RowEvent } from '#shared/api/history.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { Button, EmptyState, ErrorNote, Skeleton } from '../../../ui/index.ts';
import { setCell, useEditing } from '../../edit/index.ts';
import { describeScope } from '../model.ts';
import { readOldValue } from '../old-value.ts';
import { type RowHistoryAsked, useRowHistory } from '../queries.ts';
import { HistoryEvent } from './history-event.tsx';
import styles from './row-history.module.css';

export interface EventListProps extends RowHistoryAsked {
  /** Missing: values can only be read. */
  detail: TableDetail | undefined;
}

/** The changes of a row or of one cell, newest first, with what each can be used for. */
export function EventList(props: EventListProps) {
  return props.detail ? <EditableEvents {...props} detail={props.detail} /> : <Events {...props} />;
}

function EditableEvents(props: EventListProps & { detail: TableDetail }) {
  const { table, detail, rowId } = props;
  const editing = useEditing(table, detail);
  const [failure, setFailure] = useState<unknown>(null);
  const setBack = (event: RowEvent, cell: CellStep) => {
    setFailure(null);
    readOldValue({ table, event, cell })
      .then((value) => editing.submit({ op: setCell(rowId, cell.column, value), count: 1 }))
      .catch(setFailure);
  };
  return (
    <>
      {editing.problem}
      <ErrorNote error={failure} title="It was not set back." />
      <Events {...props} onSetBack={setBack} />
      {editing.dialog}
    </>
  );
}

type EventsProps = RowHistoryAsked & { onSetBack?: (event: RowEvent, cell: CellStep) => void };

function Events({ table, pinnedRef, rowId, column, onSetBack }: EventsProps) {
  const { whole, isPending, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useRowHistory({
    table,
    pinnedRef,
    rowId,
    column,
  });
  if (isPending)
    return (
      <div className={styles.wait} aria-busy>
        <Skeleton height={44} />
        <Skeleton height={44} />
      </div>
    );
  if (!whole)
    return <ErrorNote error={error} title="Its history cannot be shown." onRetry={() => void refetch()} />;
  return (
    <>
      {whole.events.length === 0 && whole.end !== 'more' && (
        <EmptyState title="Nothing changed it">No version that is still there wrote this value.</EmptyState>
      )}
      <ol className={styles.events} aria-label={column ? `History of ${column}` : 'History of the row'}>
        {whole.events.map((event) => (
          <HistoryEvent
            key={`${formatRef(event.ref)} ${event.change}`}
            table={table}
            event={event}
            isCell={column !== undefined}
            onSetBack={onSetBack}
          />
        ))}
      </ol>
      <ErrorNote error={error} title="Older changes cannot be shown." />
      <p className={styles.scope}>
        <span>{describeScope(whole)}</span>
        {hasNextPage && (
          <Button size="s" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Look further back
          </Button>
        )}
      </p>
    </>
  );
}
