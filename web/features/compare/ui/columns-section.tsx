import { Fragment, useState } from 'react';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { ErrorNote } from '../../../ui/index.ts';
import type { CompareFilter } from '../model/compare-filter.ts';
import { shiftOf } from '../model/overview.ts';
import type { OverviewState } from '../queries.ts';
import { ColumnShiftView } from './column-shift-view.tsx';
import styles from './compare-rail.module.css';
import { FilterButton } from './filter-button.tsx';
import { RailSection } from './rail-section.tsx';
import { useScene } from './scene.ts';
import { WholeShiftView } from './whole-shift-view.tsx';

export interface ColumnsSectionProps {
  filter: CompareFilter;
  onFilter: (filter: CompareFilter) => void;
  overview: OverviewState;
}

const shownAtFirst = 12;
const wholeKinds: ReadonlySet<string> = new Set(['number', 'time', 'text', 'bool', 'list']);

/** The columns with changed cells: how many, and how their values moved. */
export function ColumnsSection({ filter, onFilter, overview }: ColumnsSectionProps) {
  const { summary, columns } = useScene();
  const [isOpen, setOpen] = useState(false);
  const cells = Object.entries(summary.cells).sort(([, a], [, b]) => b - a);
  if (cells.length === 0) return null;
  const most = Math.max(...cells.map(([, count]) => count));
  const shown = isOpen
    ? cells
    : cells.filter(([name], index) => index < shownAtFirst || name === filter.column);
  return (
    <RailSection title="Columns" note="changed cells, old and new">
      {shown.map(([name, count]) => {
        const column = columns.find((one) => one.name === name);
        const shift = overview.overview ? shiftOf(overview.overview, name) : undefined;
        const isOn = filter.column === name;
        return (
          <Fragment key={name}>
            <FilterButton isOn={isOn} onClick={() => onFilter({ ...filter, column: isOn ? null : name })}>
              <span className={styles.label} title={name}>
                {name}
              </span>
              <span className={styles.bar} aria-hidden>
                <span style={{ width: `${Math.max(3, (count / most) * 100)}%` }} />
              </span>
              <span className={styles.count}>{formatCount(count)}</span>
            </FilterButton>
            {column && shift && <ColumnShiftView column={column} shift={shift} isLarge={isOn} />}
            {column && isOn && wholeKinds.has(column.kind) && <WholeShiftView column={column} />}
          </Fragment>
        );
      })}
      {cells.length > shown.length && (
        <button type="button" className={styles.moreColumns} onClick={() => setOpen(true)}>
          Show {formatOf(cells.length - shown.length, 'more changed column')}
        </button>
      )}
      <ErrorNote
        error={overview.error}
        title="How the columns moved could not be counted."
        onRetry={overview.retry}
      />
    </RailSection>
  );
}
