import { ArrowRightLeft, Check, CircleAlert, Undo2 } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { ChangeKind } from '#shared/api/edits.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { Button, cx, Menu, ProgressBar } from '../../../ui/index.ts';
import type { Change } from '../model/change.ts';
import { type ConflictItem, countOpen } from '../model/choices.ts';
import { type CompareFilter, toggleKind } from '../model/compare-filter.ts';
import type { ChangeGroup } from '../model/groups.ts';
import { ColumnShiftView } from './column-shift-view.tsx';
import styles from './compare-rail.module.css';
import { GroupText } from './group-text.tsx';
import { useScene } from './scene.ts';

export interface CompareRailProps {
  filter: CompareFilter;
  onFilter: (filter: CompareFilter) => void;
  conflicts: readonly ConflictItem[];
  /** Conflicts in all, loaded or not. */
  conflictTotal: number;
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
      {summary.conflicts.rows > 0 && <Conflicts {...props} />}
      <Section title="Rows">
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
      </Section>
      {cells.length > 0 && (
        <Section title="Columns" note="changed cells">
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
        </Section>
      )}
      <SchemaChanges />
      {groups.length > 0 && (
        <Section title="Repeated edits" note={`in ${groupScope}`}>
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
        </Section>
      )}
    </div>
  );
}

function Section({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.heading}>
        {title}
        {note && <span className={styles.headingNote}>{note}</span>}
      </h2>
      {children}
    </section>
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

function SchemaChanges() {
  const { added, removed, changed, facts } = useScene().summary.columns;
  if (added.length + removed.length + changed.length + facts.length === 0) return null;
  return (
    <Section title="Schema">
      <ul className={styles.schema}>
        {added.map((name) => (
          <li key={`+${name}`}>
            <span className={cx(styles.sign, styles.added)} aria-hidden>
              +
            </span>
            <span>
              column <code>{name}</code> added
            </span>
          </li>
        ))}
        {removed.map((name) => (
          <li key={`-${name}`}>
            <span className={cx(styles.sign, styles.removed)} aria-hidden>
              −
            </span>
            <span>
              column <code>{name}</code> removed
            </span>
          </li>
        ))}
        {changed.map(({ name, before, after }) => (
          <li key={`~${name}`}>
            <span className={cx(styles.sign, styles.modified)} aria-hidden>
              ~
            </span>
            <SchemaChange before={before} after={after} />
          </li>
        ))}
        {facts.map(({ column, fact, before, after }) => (
          <li key={`${column}.${fact}`}>
            <span className={cx(styles.sign, styles.modified)} aria-hidden>
              ~
            </span>
            <span>
              {fact} of <code>{column}</code>: {before ?? 'none'} → {after ?? 'none'}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A column that was renamed, retyped or both; `before` and `after` are a name and a type. */
function SchemaChange({ before, after }: { before: string; after: string }) {
  const [oldName, oldType] = splitNameType(before);
  const [name, type] = splitNameType(after);
  return (
    <span>
      {name === oldName ? null : (
        <>
          <code>{oldName}</code> renamed to{' '}
        </>
      )}
      <code>{name}</code>
      {type !== oldType && (
        <>
          {' '}
          from <code>{oldType}</code> to <code>{type}</code>
        </>
      )}
    </span>
  );
}

const splitNameType = (text: string): [name: string, type: string] => {
  const space = text.lastIndexOf(' ', text.search(/[<([]|$/));
  return space < 0 ? [text, ''] : [text.slice(0, space), text.slice(space + 1)];
};

function Conflicts({ filter, onFilter, conflicts, conflictTotal }: CompareRailProps) {
  const { choices, names } = useScene();
  const { book, past, dropped } = useStore(choices, (state) => state);
  const open = countOpen(book, conflicts, conflictTotal);
  const total = Math.max(conflictTotal, conflicts.length);
  const byColumn = [...new Set(conflicts.map(({ column }) => column))];
  const itemsOf = (column: string | null) => conflicts.filter((item) => item.column === column);
  return (
    <section className={cx(styles.conflicts, open === 0 && styles.calm)} aria-label="Conflicts">
      <h2 className={styles.conflictHead}>
        {open === 0 ? <Check aria-hidden /> : <CircleAlert aria-hidden />}
        {open === 0 ? `${formatOf(total, 'conflict')} settled` : `${formatOf(open, 'conflict')} to settle`}
      </h2>
      <ProgressBar
        label="Settled conflicts"
        done={total - open}
        total={total}
        detail={`${formatCount(total - open)} of ${formatCount(total)}`}
      />
      <div className={styles.conflictActions}>
        <Button
          size="s"
          aria-pressed={filter.isConflictsOnly}
          look={filter.isConflictsOnly ? 'primary' : 'plain'}
          onClick={() => onFilter({ ...filter, isConflictsOnly: !filter.isConflictsOnly })}
        >
          {filter.isConflictsOnly ? 'Show all changes' : 'Show only these'}
        </Button>
        <Menu
          label="Settle many"
          trigger={
            <Button size="s" icon={<ArrowRightLeft />}>
              Settle many…
            </Button>
          }
          items={[
            { heading: 'Everything that is left' },
            { id: 'rest-from', label: `Take ${names.from}`, onSelect: () => choices.chooseRest('from') },
            { id: 'rest-into', label: `Take ${names.into}`, onSelect: () => choices.chooseRest('into') },
            ...byColumn.flatMap((column) => {
              const items = itemsOf(column);
              return [
                { heading: `${column ?? 'Rows removed on one side'} · ${items.length}` },
                {
                  id: `${column}-from`,
                  label: `Take ${names.from}`,
                  onSelect: () => choices.choose(items, { take: 'from' }),
                },
                {
                  id: `${column}-into`,
                  label: `Take ${names.into}`,
                  onSelect: () => choices.choose(items, { take: 'into' }),
                },
                {
                  id: `${column}-base`,
                  label: 'As it was',
                  onSelect: () => choices.choose(items, { take: 'base' }),
                },
              ];
            }),
            'line',
            {
              id: 'clear',
              label: 'Take every choice back',
              whyNot: open === total ? 'There is none.' : null,
              onSelect: () => choices.clear(),
            },
          ]}
        />
        <Button
          size="s"
          look="quiet"
          icon={<Undo2 />}
          keys="Mod+Z"
          tip="Take the last choice back"
          isDisabled={past.length === 0}
          aria-label="Undo the last choice"
          onClick={() => choices.undo()}
        />
      </div>
      {book.rest && (
        <p className={styles.note}>
          What has no choice of its own takes {names[book.rest]}.{' '}
          <button type="button" className={styles.link} onClick={() => choices.chooseRest(null)}>
            Take that back
          </button>
        </p>
      )}
      {dropped > 0 && (
        <p className={styles.note}>
          {formatOf(dropped, 'earlier choice')} no longer applied, because the rows changed since.{' '}
          <button type="button" className={styles.link} onClick={() => choices.dismissDropped()}>
            All right
          </button>
        </p>
      )}
    </section>
  );
}
