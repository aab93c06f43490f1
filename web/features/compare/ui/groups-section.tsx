import { useState } from 'react';
import { changeToken } from '#shared/domain/equal-changes.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { Skeleton } from '../../../ui/index.ts';
import { noFilter } from '../model/compare-filter.ts';
import type { ColumnsSectionProps } from './columns-section.tsx';
import styles from './compare-rail.module.css';
import { EqualChangeText } from './equal-change-text.tsx';
import { FilterButton } from './filter-button.tsx';
import { RailSection } from './rail-section.tsx';
import { useScene } from './scene.ts';

const shownAtFirst = 8;

/** Changes that many rows share, over all changes; a click opens their rows. */
export function GroupsSection({ filter, onFilter, overview: { overview, error } }: ColumnsSectionProps) {
  const { columns } = useScene();
  const [isOpen, setOpen] = useState(false);
  if (!overview) {
    return error ? null : (
      <RailSection title="Equal edits" note="counting over all changes">
        <Skeleton height={28} />
        <Skeleton height={28} />
      </RailSection>
    );
  }
  const { groups, groupCount, ungrouped } = overview;
  if (groups.length === 0) return null;
  const open = filter.equal && changeToken(filter.equal);
  const shown = isOpen ? groups : groups.slice(0, shownAtFirst);
  return (
    <RailSection title="Equal edits" note="over all changes">
      {shown.map(({ change, rows }) => {
        const id = changeToken(change);
        return (
          <FilterButton
            key={id}
            isOn={open === id}
            onClick={() => onFilter({ ...noFilter, equal: open === id ? null : change })}
          >
            <span className={styles.group}>
              <span className={styles.groupColumn}>{change.column}</span>
              <EqualChangeText change={change} columns={columns} />
            </span>
            <span className={styles.count}>
              {formatCount(rows)}
              <span className={styles.unseen}> rows</span>
            </span>
          </FilterButton>
        );
      })}
      {!isOpen && groups.length > shown.length && (
        <button type="button" className={styles.moreColumns} onClick={() => setOpen(true)}>
          Show {formatOf(groups.length - shown.length, 'more group')}
        </button>
      )}
      {groupCount > groups.length && (isOpen || groups.length <= shownAtFirst) && (
        <p className={styles.note}>
          The {formatCount(groups.length)} largest of {formatCount(groupCount)} groups.
        </p>
      )}
      {ungrouped.length > 0 && (
        <p className={styles.note}>
          {ungrouped.join(', ')}: so many different changes that not all could be told apart.
        </p>
      )}
    </RailSection>
  );
}
