import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useCommands } from '../../../state/commands.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { IconButton, Spacer } from '../../../ui/index.ts';
import { type GridColumn, mediaOfCells, type RowSource, TypeGlyph } from '../../grid/index.ts';
import { MediaStage, Value } from '../../inspector/index.ts';
import styles from './result-row.module.css';

export interface ResultRowProps {
  source: RowSource;
  columns: readonly GridColumn[];
  index: number;
  total: number;
  onStep: (index: number) => void;
  onClose: () => void;
}

/** One row of a result in full: its picture large, every value whole. */
export function ResultRow({ source, columns, index, total, onStep, onClose }: ResultRowProps) {
  const row = source.rowAt(index);
  const step = (by: number) => index + by >= 0 && index + by < total && onStep(index + by);
  useCommands([
    { id: 'row.next', title: 'Next row in the panel', group: 'Row panel', keys: ['j'], run: () => step(1) },
    {
      id: 'row.previous',
      title: 'Previous row in the panel',
      group: 'Row panel',
      keys: ['k'],
      run: () => step(-1),
    },
    { id: 'row.close', title: 'Close the row panel', group: 'Row panel', keys: ['Escape'], run: onClose },
  ]);
  if (!row) return null;
  const media = columns.filter(
    ({ kind, name }) => kind === 'media' && row.value(name) !== null && mediaOfCells(row, name) !== null,
  );
  return (
    <aside aria-label="Row" className={styles.panel}>
      <header className={styles.head}>
        <h2 className={styles.title}>
          Row {formatCount(index + 1)} <span className={styles.of}>of {formatCount(total)}</span>
        </h2>
        <Spacer />
        <IconButton
          label="Previous row"
          keys="k"
          size="s"
          icon={<ChevronUp />}
          isDisabled={index === 0}
          onClick={() => step(-1)}
        />
        <IconButton
          label="Next row"
          keys="j"
          size="s"
          icon={<ChevronDown />}
          isDisabled={index === total - 1}
          onClick={() => step(1)}
        />
        <IconButton label="Close" keys="Escape" size="s" icon={<X />} onClick={onClose} />
      </header>
      <div className={styles.content}>
        {media.length > 0 && (
          <MediaStage key={index} row={row} columns={media} media={mediaOfCells} isLarge={false} />
        )}
        <dl className={styles.values}>
          {columns
            .filter((column) => !media.includes(column))
            .map((column) => (
              <div key={column.name} className={styles.value}>
                <dt className={styles.name}>
                  <TypeGlyph column={column} />
                  {column.name}
                </dt>
                <dd>
                  <Value value={row.value(column.name)} column={column} />
                </dd>
              </div>
            ))}
        </dl>
      </div>
    </aside>
  );
}
