import { Check, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Side } from '#shared/api/edits.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { Button, cx } from '../../../ui/index.ts';
import { TypedValue } from '../../edit/index.ts';
import {
  conflictText,
  emptyStepBook,
  openOf,
  type StepBook,
  type StepConflict,
  type StepPick,
} from '../model/step-conflicts.ts';
import type { StepWords } from '../model/step-words.ts';
import styles from './step-dialog.module.css';

export interface StepConflictsProps {
  conflicts: readonly StepConflict[];
  /** Conflicts in all that the last plan counted. */
  total: number;
  book: StepBook;
  onBook: (book: StepBook) => void;
  sides: StepWords['sides'];
  columns: readonly ColumnInfo[];
}

const order: readonly Side[] = ['from', 'into', 'base'];

/** What both sides changed differently, to be settled one by one or all at once. */
export function StepConflicts({ conflicts, total, book, onBook, sides, columns }: StepConflictsProps) {
  const open = openOf(conflicts, book);
  const left = Math.max(open, book.rest === null ? total : 0);
  const settleRest = (rest: 'from' | 'into') => onBook({ ...book, rest });
  return (
    <section className={styles.conflicts} aria-label="Conflicts">
      <div className={styles.conflictHead}>
        <strong>{left === 0 ? 'All conflicts settled' : `${formatOf(left, 'conflict')} to settle`}</strong>
        <span className={styles.spacer} />
        <Button size="s" aria-pressed={book.rest === 'from'} onClick={() => settleRest('from')}>
          Rest: {sides.from}
        </Button>
        <Button size="s" aria-pressed={book.rest === 'into'} onClick={() => settleRest('into')}>
          Rest: {sides.into}
        </Button>
        <Button
          size="s"
          look="quiet"
          icon={<Undo2 />}
          isDisabled={book === emptyStepBook}
          onClick={() => onBook(emptyStepBook)}
        >
          Take back
        </Button>
      </div>
      <ul className={styles.conflictList}>
        {conflicts.map((conflict) => (
          <ConflictLine
            key={conflict.id}
            conflict={conflict}
            pick={book.picks[conflict.id] ?? (book.rest ? { take: book.rest } : null)}
            onPick={(pick) => onBook({ ...book, picks: { ...book.picks, [conflict.id]: pick } })}
            sides={sides}
            column={columns.find(({ name }) => name === conflict.column)}
          />
        ))}
      </ul>
      {total > conflicts.length && (
        <p className={styles.note}>
          The first {formatCount(conflicts.length)} are listed; the others come as these are settled.
        </p>
      )}
    </section>
  );
}

interface ConflictLineProps {
  conflict: StepConflict;
  pick: StepPick | null;
  onPick: (pick: StepPick) => void;
  sides: StepWords['sides'];
  column: ColumnInfo | undefined;
}

function ConflictLine({ conflict, pick, onPick, sides, column }: ConflictLineProps) {
  const [isTyping, setTyping] = useState(false);
  const { key, column: name } = conflict;
  const row = key === null ? 'Column' : Array.isArray(key) ? key.join(' · ') : String(key);
  const shown = order.filter((side) => !(side === 'base' && key === null));
  return (
    <li className={cx(styles.conflict, pick && styles.settled)}>
      <p className={styles.conflictTitle}>
        <code>{row}</code> {name ?? 'the row as a whole'}
        {pick && <Check aria-label="settled" />}
      </p>
      <div role="radiogroup" aria-label={`${name ?? 'Row'} of ${row}`} className={styles.options}>
        {shown.map((side) => (
          // biome-ignore lint/a11y/useSemanticElements: a button that holds the value it takes
          <button
            key={side}
            type="button"
            role="radio"
            aria-checked={pick !== null && 'take' in pick && pick.take === side}
            className={styles.option}
            onClick={() => onPick({ take: side })}
          >
            <span className={styles.side}>{sides[side]}</span>
            <span className={styles.value}>{conflictText(conflict[side])}</span>
          </button>
        ))}
        {pick && 'value' in pick && (
          // biome-ignore lint/a11y/useSemanticElements: as above
          <button
            type="button"
            role="radio"
            aria-checked
            className={styles.option}
            onClick={() => setTyping(true)}
          >
            <span className={styles.side}>typed</span>
            <span className={styles.value}>{conflictText(pick.value)}</span>
          </button>
        )}
      </div>
      {column && (
        <TypedValue
          column={column}
          start={conflict.from ?? conflict.into}
          isOpen={isTyping}
          onOpen={setTyping}
          onPick={(value) => onPick({ value })}
        />
      )}
    </li>
  );
}
