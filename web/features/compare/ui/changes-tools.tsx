import { Check, ChevronDown, ChevronUp, LayoutList, Replace, Table2 } from 'lucide-react';
import { useMemo } from 'react';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { openBranchStep } from '../../../state/branch-steps.ts';
import { runCommand, useCommands } from '../../../state/commands.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { Button, Chip, IconButton, Segmented, Spacer } from '../../../ui/index.ts';
import { FilterChips } from '../../filter/chips.ts';
import { FilterButton } from '../../filter/index.ts';
import type { GridColumn } from '../../grid/index.ts';
import { bringPicked } from '../bring-picked.ts';
import { setLook, useLook } from '../look-store.ts';
import { formatKey } from '../model/change.ts';
import { isFiltering } from '../model/compare-filter.ts';
import type { Compared } from '../use-compared.ts';
import styles from './changes-tools.module.css';
import { describeEqualChange } from './equal-change-text.tsx';
import { type Scene, usePicks } from './scene.ts';

const asInfo = ({ name, type, role, description }: GridColumn): ColumnInfo => ({
  name,
  type,
  role,
  description,
  nullable: true,
  tags: [],
});

/** What narrows the list, as chips, and the place of the reader in it. */
export function ChangesTools({ compared }: { compared: Compared }) {
  const { scene } = compared;
  return scene && <Tools compared={compared} scene={scene} />;
}

function Tools({ compared, scene }: { compared: Compared; scene: Scene }) {
  const { comparison, filter, setFilter, state, changes, walk } = compared;
  const { summary } = scene;
  const columns = useMemo(() => state.columns.map(asInfo), [state.columns]);
  const picks = usePicks(scene.picks);
  const look = useLook();
  useCommands([
    {
      id: 'compare.look',
      title: look === 'cards' ? 'Show the changes as a table' : 'Show the changes as cards',
      group: 'Changes',
      keys: ['l'],
      run: () => setLook(look === 'cards' ? 'table' : 'cards'),
    },
  ]);
  const { kinds, column, isConflictsOnly, equal, key, conditions } = filter;
  const isNarrowed = isFiltering(filter);
  return (
    <div className={styles.tools} role="toolbar" aria-label="What is listed">
      <FilterButton
        table={comparison.table}
        refText={formatRef(summary.from)}
        columns={columns}
        conditions={conditions}
        onChange={(next) => setFilter({ ...filter, conditions: next })}
      />
      {kinds.map((kind) => (
        <Chip
          key={kind}
          name={kind}
          onRemove={() => setFilter({ ...filter, kinds: kinds.filter((one) => one !== kind) })}
        >
          {kind}
        </Chip>
      ))}
      {column !== null && (
        <Chip name={`${column} changed`} onRemove={() => setFilter({ ...filter, column: null })}>
          {column} changed
        </Chip>
      )}
      {column !== null && (
        <Button
          size="s"
          look="quiet"
          icon={<Replace />}
          onClick={() =>
            openBranchStep({
              kind: 'cherry-pick',
              table: comparison.table,
              from: comparison.from,
              into: comparison.into,
              columns: [column],
            })
          }
        >
          Bring this column to…
        </Button>
      )}
      {isConflictsOnly && (
        <Chip name="conflicts" onRemove={() => setFilter({ ...filter, isConflictsOnly: false })}>
          conflicts
        </Chip>
      )}
      {equal && (
        <Chip name={describeEqualChange(equal)} onRemove={() => setFilter({ ...filter, equal: null })}>
          <span className={styles.equal} title={describeEqualChange(equal)}>
            {describeEqualChange(equal)}
          </span>
        </Chip>
      )}
      {key !== undefined && (
        <Chip name={`row ${formatKey(key)}`} onRemove={() => setFilter({ ...filter, key: undefined })}>
          row {formatKey(key)}
        </Chip>
      )}
      <FilterChips
        columns={columns}
        conditions={conditions}
        onChange={(next) => setFilter({ ...filter, conditions: next })}
      />
      {isNarrowed && !state.isPending && <span className={styles.count}>{formatOf(state.total, 'row')}</span>}
      {isNarrowed && changes.length > 1 && (
        <Button size="s" look="quiet" icon={<Check />} onClick={() => scene.seen.mark(changes, true)}>
          {changes.length < state.total ? `These ${formatCount(changes.length)} seen` : 'All seen'}
        </Button>
      )}
      {picks.size > 0 && (
        <>
          <Button
            size="s"
            look="primary"
            icon={<Replace />}
            onClick={() => bringPicked(comparison, scene.picks)}
          >
            Bring {formatOf(picks.size, 'picked row')} to…
          </Button>
          <Button size="s" look="quiet" onClick={() => scene.picks.clear()}>
            Clear
          </Button>
        </>
      )}
      <Spacer />
      <Segmented
        label="How changes are shown"
        value={look}
        options={[
          { value: 'cards', label: 'Cards', icon: <LayoutList />, isIconOnly: true },
          { value: 'table', label: 'Table', icon: <Table2 />, isIconOnly: true },
        ]}
        onChange={setLook}
      />
      {changes.length > 0 && (
        <>
          <span className={styles.count}>
            {walk.at >= 0 ? `${formatCount(walk.at + 1)} of ${formatCount(state.total)}` : ''}
          </span>
          <IconButton
            label="Previous change"
            keys="k"
            size="s"
            icon={<ChevronUp />}
            onClick={() => runCommand('compare.previous')}
          />
          <IconButton
            label="Next change"
            keys="j"
            size="s"
            icon={<ChevronDown />}
            onClick={() => runCommand('compare.next')}
          />
        </>
      )}
    </div>
  );
}
