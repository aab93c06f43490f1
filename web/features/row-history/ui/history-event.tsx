import { CornerUpLeft, Ellipsis, GitCompareArrows, GitMerge, Table2 } from 'lucide-react';
import { Link } from 'wouter';
import type { CellStep, RowEvent } from '#shared/api/history.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { comparePath, goTo, reviewPath, tablePath } from '../../../state/addresses.ts';
import { formatAgo, formatMoment, formatOf } from '../../../ui/format-quantity.ts';
import { IconButton, Menu, type MenuEntry } from '../../../ui/index.ts';
import { canSetBack, describeEvent, isShownBy } from '../model.ts';
import { CellChange } from './cell-change.tsx';
import styles from './row-history.module.css';

export interface HistoryEventProps {
  table: string;
  event: RowEvent;
  /** The history is of one cell, so its column goes without saying. */
  isCell: boolean;
  /** Sets a cell back to what it was before; missing where nothing can be set. */
  onSetBack?: (event: RowEvent, cell: CellStep) => void;
  /** The merge that brought it: what it shows already is not said again. */
  merge?: RowEvent;
}

const changes = { added: 'Row added', removed: 'Row removed', modified: '', unknown: 'As far as is known' };

/** One change of a row: what became what, who did it, when and why; below a merge, what was done on its branch. */
export function HistoryEvent({ table, event, isCell, onSetBack, merge }: HistoryEventProps) {
  const ref = formatRef(event.ref);
  return (
    <li className={styles.event} aria-label={`${describeEvent(event)}, ${ref}`}>
      <div className={styles.eventHead}>
        <span className={styles.what}>
          {event.mergedFrom && <GitMerge size={13} aria-hidden className={styles.mergeMark} />}
          {describeEvent(event)}
        </span>
        <EventMenu table={table} event={event} isCell={isCell} onSetBack={onSetBack} />
      </div>
      <p className={styles.meta}>
        <span>{event.author ?? (event.kind === 'create' ? 'with the table' : 'another program')}</span>
        {event.at && (
          <time dateTime={event.at} title={formatMoment(event.at)}>
            {formatAgo(event.at)}
          </time>
        )}
        <Link
          href={tablePath(table, { ref, row: event.after?.rowId })}
          title="Open the table at this version"
        >
          {ref}
        </Link>
        {event.review && <Link href={reviewPath(event.review)}>review #{event.review}</Link>}
        {changes[event.change] !== '' && <span className={styles.state}>{changes[event.change]}</span>}
      </p>
      <Cells table={table} event={event} isCell={isCell} merge={merge} />
      {event.note && <p className={styles.note}>{event.note}</p>}
      {event.settled.length > 0 && (
        <p className={styles.note}>
          {isCell ? 'The value was' : `${event.settled.join(', ')} was`} settled in the merge: neither branch
          had it so.
        </p>
      )}
      {event.origin.length > 0 && (
        <section className={styles.origin} aria-label={`On ${event.mergedFrom?.branch}`}>
          <p className={styles.meta}>
            set on {event.mergedFrom?.branch}
            {event.origin.length > 1 && ` in ${formatOf(event.origin.length, 'step')}`}:
          </p>
          <ol>
            {event.origin.map((one) => (
              <HistoryEvent
                key={formatRef(one.ref)}
                table={table}
                event={one}
                isCell={isCell}
                merge={event}
              />
            ))}
          </ol>
        </section>
      )}
    </li>
  );
}

function Cells({ table, event, isCell, merge }: Omit<HistoryEventProps, 'onSetBack'>) {
  const isSaid = (cell: CellStep) => merge?.change === 'modified' && isShownBy(merge, event, cell);
  const there = event.cells.filter(
    ({ before, after }) => event.change === 'modified' || isCell || before !== null || after !== null,
  );
  const said = there.filter(isSaid);
  const cells = there.filter((cell) => !isSaid(cell));
  if (isCell) {
    const [cell] = cells;
    return cell ? <CellChange table={table} event={event} cell={cell} /> : null;
  }
  return (
    <>
      {said.length > 0 && (
        <p className={styles.said}>{said.map(({ column }) => column).join(', ')}, as above</p>
      )}
      <dl className={styles.cells}>
        {cells.map((cell) => (
          <div key={cell.column} className={styles.cell}>
            <dt title={cell.formerly ? `was called ${cell.formerly}` : cell.type}>{cell.column}</dt>
            <dd>
              <CellChange table={table} event={event} cell={cell} />
            </dd>
          </div>
        ))}
      </dl>
      {event.moreCells > 0 && <p className={styles.said}>and {formatOf(event.moreCells, 'cell')} more</p>}
    </>
  );
}

function EventMenu({ table, event, onSetBack }: Omit<HistoryEventProps, 'merge'>) {
  const { before, after } = event;
  const ref = formatRef(event.ref);
  const items: MenuEntry[] = [
    {
      id: 'open',
      label: `Open the table at ${ref}`,
      icon: <Table2 />,
      onSelect: () => goTo(tablePath(table, { ref, row: after?.rowId })),
    },
    {
      id: 'compare',
      label: 'Compare with the version before',
      icon: <GitCompareArrows />,
      whyNot: before ? null : 'The version before is not there.',
      onSelect: () => before && goTo(comparePath(table, ref, formatRef(before.ref))),
    },
  ];
  const back = onSetBack ? event.cells.filter((cell) => canSetBack(event, cell)) : [];
  if (back.length > 0) items.push('line');
  for (const cell of back.slice(0, 12))
    items.push({
      id: `back-${cell.column}`,
      label: `Set ${cell.column} back to what it was before`,
      icon: <CornerUpLeft />,
      onSelect: () => onSetBack?.(event, cell),
    });
  return (
    <Menu
      label={`What to do with ${ref}`}
      align="end"
      trigger={<IconButton label={`Actions for ${ref}`} size="s" icon={<Ellipsis />} />}
      items={items}
    />
  );
}
