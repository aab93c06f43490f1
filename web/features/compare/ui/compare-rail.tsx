import type { ChangeKind } from '#shared/api/edits.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import { toggleKind } from '../model/compare-filter.ts';
import type { OverviewState } from '../queries.ts';
import { ColumnsSection } from './columns-section.tsx';
import styles from './compare-rail.module.css';
import { ConflictsPanel, type ConflictsPanelProps } from './conflicts-panel.tsx';
import { FilterButton } from './filter-button.tsx';
import { GroupsSection } from './groups-section.tsx';
import { RailSection } from './rail-section.tsx';
import { useScene } from './scene.ts';
import { SchemaChanges } from './schema-changes.tsx';

export interface CompareRailProps extends ConflictsPanelProps {
  overview: OverviewState;
}

const kinds: { kind: ChangeKind; sign: string }[] = [
  { kind: 'modified', sign: '~' },
  { kind: 'added', sign: '+' },
  { kind: 'removed', sign: '−' },
];

/** The comparison in numbers; every number narrows the list. */
export function CompareRail(props: CompareRailProps) {
  const { filter, onFilter } = props;
  const { summary } = useScene();
  return (
    <div className={styles.rail}>
      {summary.conflicts.cells > 0 && <ConflictsPanel {...props} />}
      <RailSection title="Rows">
        {kinds.map(({ kind, sign }) => (
          <FilterButton
            key={kind}
            isOn={filter.kinds.includes(kind)}
            isQuiet={summary.rows[kind] === 0}
            onClick={() => onFilter(toggleKind(filter, kind))}
          >
            <span className={cx(styles.sign, styles[kind])} aria-hidden>
              {sign}
            </span>
            <span className={styles.label}>{kind}</span>
            <span className={styles.count}>{formatCount(summary.rows[kind])}</span>
          </FilterButton>
        ))}
      </RailSection>
      <GroupsSection {...props} />
      <ColumnsSection {...props} />
      <SchemaChanges />
    </div>
  );
}
