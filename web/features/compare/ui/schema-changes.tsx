import { fieldFacts } from '#shared/api/wire.ts';
import { cx } from '../../../ui/index.ts';
import styles from './compare-rail.module.css';
import { RailSection } from './rail-section.tsx';
import { useScene } from './scene.ts';

/** Facts that Curio keeps about a column, as people call them. */
const factWords: Readonly<Record<string, string>> = {
  [fieldFacts.key]: 'place in the row key',
  [fieldFacts.role]: 'role',
  [fieldFacts.description]: 'description',
  [fieldFacts.tags]: 'tags',
};

/** Columns that came, went or changed, and what is said about them. */
export function SchemaChanges() {
  const { added, removed, changed, facts } = useScene().summary.columns;
  if (added.length + removed.length + changed.length + facts.length === 0) return null;
  return (
    <RailSection title="Schema">
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
              {factWords[fact] ?? fact} of <code>{column}</code>: {before ?? 'none'} → {after ?? 'none'}
            </span>
          </li>
        ))}
      </ul>
    </RailSection>
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
