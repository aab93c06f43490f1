import type { Side } from '#shared/api/edits.ts';
import { Button } from '../../../ui/index.ts';
import type { Change } from '../model/change.ts';
import { type ConflictItem, listConflicts } from '../model/choices.ts';
import { ChangedCells } from './change-bodies.tsx';
import styles from './change-card.module.css';
import { ConflictCell } from './conflict-cell.tsx';
import { useScene } from './scene.ts';

/** What is to be settled in a row, then what else changed in it. */
export function ConflictBody({ change }: { change: Change }) {
  const { names } = useScene();
  const items = listConflicts([change]);
  const isGone = change.conflictKind === 'removed-modified' || change.conflictKind === 'modified-removed';
  const changer = change.conflictKind === 'removed-modified' ? 'into' : 'from';
  const rest = change.columns.filter((name) => !change.conflicts.includes(name));
  const base = { row: change.base, side: 'base' as const };
  return (
    <>
      {items.length > 1 && <RowChoice items={items} />}
      {items.map((item) => (
        <ConflictCell key={item.id} change={change} item={item} />
      ))}
      {isGone && (
        <>
          <p className={styles.caption}>What {names[changer]} changed in it</p>
          <dl className={styles.cells}>
            <ChangedCells
              change={change}
              names={change.conflicts}
              before={base}
              after={{ row: change[changer], side: changer }}
            />
          </dl>
        </>
      )}
      {!isGone && rest.length > 0 && (
        <dl className={styles.cells}>
          <ChangedCells
            change={change}
            names={rest}
            before={base}
            after={{ row: change.from, side: 'from' }}
          />
        </dl>
      )}
    </>
  );
}

/** One choice for every conflict of a row. */
function RowChoice({ items }: { items: readonly ConflictItem[] }) {
  const { choices, names } = useScene();
  const sides: [Side, string][] = [
    ['from', names.from],
    ['into', names.into],
    ['base', 'as it was'],
  ];
  return (
    <fieldset className={styles.rowChoice}>
      <legend className="visually-hidden">The whole row</legend>
      <span>The whole row:</span>
      {sides.map(([side, label]) => (
        <Button key={side} size="s" look="quiet" onClick={() => choices.choose(items, { take: side })}>
          {label}
        </Button>
      ))}
    </fieldset>
  );
}
