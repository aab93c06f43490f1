import { ArrowDownToDot } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useCommands } from '../../../state/commands.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { announce, cx, IconButton, Popover, TextField } from '../../../ui/index.ts';
import { type GoToPlace, planGoTo } from '../model/plan-go-to.ts';
import styles from './table.module.css';

export interface GoToRowProps {
  /** Rows of the result. */
  total: number | null;
  /** The key columns. */
  keyColumns: readonly string[];
  /** Where the row with a key stands; null when the result has none. Throws what the server says. */
  locate: (key: string | string[], signal: AbortSignal) => Promise<number | null>;
  onGo: (position: number) => void;
}

/** Goes to a row by its number, by a percentage of the way, or by its key. */
export function GoToRow({ total, keyColumns, locate, onGo }: GoToRowProps) {
  const [isOpen, setOpen] = useState(false);
  const hasGone = useRef(false);
  useCommands([
    {
      id: 'table.goToRow',
      title: 'Go to a row by number, percentage or key',
      group: 'Rows',
      keys: ['Mod+G'],
      whyNot: () => (total ? null : 'There are no rows'),
      run: () => setOpen(true),
    },
  ]);
  return (
    <Popover
      label="Go to a row"
      align="end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      onCloseFocus={(event) => {
        const rows =
          hasGone.current && document.querySelector<HTMLElement>('[role="grid"][aria-label="Rows"]');
        hasGone.current = false;
        if (!rows) return;
        event.preventDefault();
        rows.focus({ preventScroll: true });
      }}
      trigger={<IconButton label="Go to a row" keys="Mod+G" icon={<ArrowDownToDot />} />}
    >
      <GoToForm
        total={total ?? 0}
        keyColumns={keyColumns}
        locate={locate}
        onGo={(position) => {
          hasGone.current = true;
          setOpen(false);
          onGo(position);
          announce(`Row ${formatCount(position + 1)}`);
        }}
      />
    </Popover>
  );
}

function GoToForm({ total, keyColumns, locate, onGo }: Omit<GoToRowProps, 'total'> & { total: number }) {
  const listId = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLooking, setLooking] = useState(false);
  const places = planGoTo(text, { total, key: keyColumns });
  const at = Math.min(chosen, places.length - 1);
  const go = async (place: GoToPlace | undefined) => {
    if (!place || isLooking) return;
    if (place.kind !== 'key') return onGo(place.position);
    setLooking(true);
    setProblem(null);
    try {
      const position = await locate(place.key, new AbortController().signal);
      if (position === null)
        setProblem(`No row of this result has the ${keyColumns.join(', ')} ${place.key}.`);
      else onGo(position);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setLooking(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setChosen(Math.max(0, Math.min(places.length - 1, at + step)));
    if (event.key === 'Enter') void go(places[at]);
    if (step !== 0 || event.key === 'Enter') event.preventDefault();
  };
  return (
    <div className={styles.goTo}>
      <TextField
        label="Go to"
        isLabelHidden
        role="combobox"
        aria-expanded={places.length > 0}
        aria-controls={listId}
        aria-activedescendant={places.length > 0 ? `${listId}-${at}` : undefined}
        autoFocus
        placeholder={keyColumns.length > 0 ? `Row, 50 %, or ${keyColumns.join(', ')}` : 'Row or 50 %'}
        value={text}
        onChange={(next) => {
          setText(next);
          setChosen(0);
          setProblem(null);
        }}
        onKeyDown={onKeyDown}
        error={problem}
      />
      <div role="listbox" id={listId} aria-label="Places" className={styles.goToPlaces} aria-busy={isLooking}>
        {places.map((place, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={place.kind}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={cx(styles.goToPlace, index === at && styles.goToChosen)}
            onClick={() => void go(place)}
          >
            {wordsOf(place, keyColumns)}
          </div>
        ))}
      </div>
      {places.length === 0 && (
        <p className={styles.goToHint}>
          {text.trim() === ''
            ? `1 to ${formatCount(total)}, as the rows are sorted and filtered.`
            : `There are ${formatCount(total)} rows here.`}
        </p>
      )}
    </div>
  );
}

function wordsOf(place: GoToPlace, keyColumns: readonly string[]): string {
  switch (place.kind) {
    case 'row':
      return `Row ${formatCount(place.position + 1)}`;
    case 'share':
      return `${place.percent} % of the way: row ${formatCount(place.position + 1)}`;
    case 'key':
      return [place.key]
        .flat()
        .map((part, i) => `${keyColumns[i]} = ${part}`)
        .join(', ');
  }
}
