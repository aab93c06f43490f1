import { Fragment, type ReactNode } from 'react';
import type { ChangeKind } from '#shared/api/edits.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import type { Change } from '../model/change.ts';
import { toggleKind } from '../model/compare-filter.ts';
import type { ChangeGroup } from '../model/groups.ts';
import { ColumnShiftView } from './column-shift-view.tsx';
import styles from './compare-rail.module.css';
import { ConflictsPanel, type ConflictsPanelProps } from './conflicts-panel.tsx';
import { GroupText } from './group-text.tsx';
import { RailSection } from './rail-section.tsx';
import { useScene } from './scene.ts';
import { SchemaChanges } from './schema-changes.tsx';

export interface CompareRailProps extends ConflictsPanelProps {
  groups: readonly ChangeGroup[];
  /** What the groups were looked for in: `all changes`, `the first 200 changes`. */
  groupScope: string;
  group: string | null;
  /** All that is loaded, for the distribution of a chosen column. */
  loaded: readonly Change[];
  onGroup: (group: string | null) => void;
}

const kinds: { kind: ChangeKind; sign: string }[] = [
  { kind: 'modified', sign: '~' },
  { kind: 'added', sign: '+' },
  { kind: 'removed', sign: '−' },
];

/** The comparison in numbers; every number narrows the list. */
export function CompareRail(props: CompareRailProps) {
  const { filter, onFilter, groups, groupScope, group, onGroup, loaded } = props;

  const { summary, columns } = useScene();
  const cells = Object.entries(summary.cells).sort(([, a], [, b]) => b - a);
  const most = Math.max(1, ...cells.map(([, count]) => count));
  const chosen = columns.find(({ name }) => name === filter.column);
  return (
    <div className={styles.rail}>
      {summary.conflicts.rows > 0 && <ConflictsPanel {...props} />}
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
      {cells.length > 0 && (
        <RailSection title="Columns" note="changed cells">
          {cells.map(([name, count]) => (
            <Fragment key={name}>
              <FilterButton
                isOn={filter.column === name}
                onClick={() => onFilter({ ...filter, column: filter.column === name ? null : name })}
              >
                <span className={styles.label} title={name}>
                  {name}
                </span>
                <span className={styles.bar} aria-hidden>
                  <span style={{ width: `${Math.max(3, (count / most) * 100)}%` }} />
                </span>
                <span className={styles.count}>{formatCount(count)}</span>
              </FilterButton>
              {chosen?.name === name && <ColumnShiftView column={chosen} changes={loaded} />}
            </Fragment>
          ))}
        </RailSection>
      )}
      <SchemaChanges />
      {groups.length > 0 && (
        <RailSection title="Repeated edits" note={`in ${groupScope}`}>
          {groups.map((one) => (
            <FilterButton
              key={one.id}
              isOn={group === one.id}
              onClick={() => onGroup(group === one.id ? null : one.id)}
            >
              <span className={styles.group}>
                <span className={styles.groupColumn}>{one.column}</span>
                <GroupText group={one} columns={columns} />
              </span>
              <span className={styles.count}>{formatCount(one.changeIds.length)}</span>
            </FilterButton>
          ))}
        </RailSection>
      )}
    </div>
  );
}

interface FilterButtonProps {
  isOn: boolean;
  isQuiet?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function FilterButton({ isOn, isQuiet, onClick, children }: FilterButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      className={cx(styles.filter, isOn && styles.on, isQuiet && styles.none)}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
