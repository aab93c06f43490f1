import { type ReactNode, useMemo, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { type Condition, whereOf } from '../../../state/table-view.ts';
import { ErrorNote, Segmented, Skeleton } from '../../../ui/index.ts';
import { FacetsScope, useFacets } from '../../facets/index.ts';
import { useColumnProfiles } from '../../filter/index.ts';
import { useColumnDetails, useExactFigures } from '../queries.ts';
import { AssociationsView } from './associations-view.tsx';
import { DifferencesView } from './differences-view.tsx';
import styles from './profile.module.css';
import { ProfileCard } from './profile-card.tsx';

export interface ProfileViewProps {
  table: string;
  detail: TableDetail | undefined;
  /** Those on the screen, in their order. */
  columns: readonly string[];
  conditions: readonly Condition[];
  /** The selected rows as a filter. */
  marked?: string | undefined;
  glyphOf: (column: string) => ReactNode;
  onConditions: (conditions: Condition[]) => void;
}

const parts = ['columns', 'differences', 'correlation'] as const;
type Part = (typeof parts)[number];
const partNames: Record<Part, string> = {
  columns: 'Columns',
  differences: 'What is different',
  correlation: 'Correlation',
};

/** Every column of the table in full; what is different about the chosen rows; how columns go together. */
export function ProfileView(props: ProfileViewProps) {
  const { detail } = props;
  return detail ? (
    <Profile {...props} detail={detail} />
  ) : (
    <section className={styles.view} aria-label="Profile" aria-busy="true">
      <Skeleton height={240} />
    </section>
  );
}

function Profile({
  table,
  detail,
  columns,
  conditions,
  marked,
  glyphOf,
  onConditions,
}: ProfileViewProps & { detail: TableDetail }) {
  const [part, setPart] = useState<Part>('columns');
  const refText = formatRef(detail.ref);
  const where = whereOf(conditions);
  const linked = useFacets({
    table,
    ref: refText,
    tableRows: detail.rows,
    columns,
    conditions,
    marked,
    onConditions,
  });
  const isColumns = part === 'columns';
  const asked = { table, ref: refText, where, columns };
  const profiles = useColumnProfiles({ ...asked, isEnabled: isColumns });
  const details = useColumnDetails({ ...asked, isEnabled: isColumns });
  const sampled = useMemo(
    () =>
      (profiles.isPlaceholderData ? [] : [...(profiles.data?.values() ?? [])])
        .filter(({ isSample }) => isSample)
        .map(({ name }) => name),
    [profiles.data, profiles.isPlaceholderData],
  );
  const exact = useExactFigures({ ...asked, columns: sampled, isEnabled: isColumns });
  const infos = useMemo(
    () => columns.flatMap((name) => detail.columns.find((column) => column.name === name) ?? []),
    [columns, detail],
  );
  const on = conditions.filter(({ isOff }) => !isOff).map(({ sql }) => sql);
  const { answer } = linked;
  return (
    <section className={styles.view} aria-label="Profile">
      <h2 className="visually-hidden">Profile</h2>
      <header className={styles.head}>
        <Segmented<Part>
          label="Part of the profile"
          value={part}
          onChange={setPart}
          options={parts.map((value) => ({ value, label: partNames[value] }))}
        />
        <div className={styles.headScope}>
          <FacetsScope label="Scope of the distributions" linked={linked} />
        </div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={styles.body} tabIndex={0} aria-label={partNames[part]}>
        <ErrorNote error={linked.error} title="The distributions cannot be counted." onRetry={linked.retry} />
        <ErrorNote
          error={profiles.error ?? details.error}
          title="The figures cannot be counted."
          onRetry={() => void Promise.all([profiles.refetch(), details.refetch()])}
        />
        {isColumns && (
          <div className={styles.cards}>
            {infos.map((column) => (
              <ProfileCard
                key={column.name}
                column={column}
                glyph={glyphOf(column.name)}
                facet={answer?.facets.find((facet) => facet.column === column.name)}
                linked={linked}
                profile={profiles.data?.get(column.name)}
                exact={exact.get(column.name)}
                detail={details.data?.get(column.name)}
                isWaiting={profiles.isLoading}
              />
            ))}
          </div>
        )}
        {part === 'differences' &&
          (answer ? <DifferencesView answer={answer} linked={linked} /> : <Skeleton height={240} />)}
        {part === 'correlation' && (
          <AssociationsView table={table} refText={refText} columns={columns} conditions={on} />
        )}
      </section>
    </section>
  );
}
