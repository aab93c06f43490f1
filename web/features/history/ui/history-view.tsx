import { useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Button, EmptyState, ErrorNote, Skeleton, Switch } from '../../../ui/index.ts';
import { groupByDay, isHousekeeping } from '../model.ts';
import { useHistory } from '../queries.ts';
import styles from './history.module.css';
import { VersionItem } from './version-item.tsx';

export interface HistoryViewProps {
  table: string;
  detail: TableDetail;
  refText: string;
  onRefChange: (ref: string) => void;
}

/** What happened to a branch, newest first; every version can be opened, compared, restored, reverted and tagged. */
export function HistoryView({ table, detail, refText, onRefChange }: HistoryViewProps) {
  const { branch } = detail.ref;
  const { versions, isPending, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useHistory(
    table,
    branch,
  );
  const [hasHousekeeping, setHousekeeping] = useState(false);
  const hidden = versions.filter(isHousekeeping).length;
  const shown = hasHousekeeping ? versions : versions.filter((version) => !isHousekeeping(version));
  const head = detail.branches.find(({ name }) => name === branch)?.version ?? versions[0]?.version;
  return (
    <section className={styles.history} aria-label={`History of ${branch}`}>
      <div className={styles.column}>
        <ErrorNote error={error} title="The history cannot be shown." onRetry={() => void refetch()} />
        {isPending &&
          ['a', 'b', 'c'].map((key) => <Skeleton key={key} height={52} className={styles.place} />)}
        {!isPending && !error && shown.length === 0 && (
          <EmptyState title="Nothing happened yet">
            Every edit and merge will stand here, and can be taken back.
          </EmptyState>
        )}
        {hidden > 0 && (
          <div className={styles.options}>
            <Switch
              label={`Show ${formatOf(hidden, 'version')} that left the rows as they were`}
              isOn={hasHousekeeping}
              onChange={setHousekeeping}
            />
          </div>
        )}
        {groupByDay(shown).map(({ day, versions: ofDay }) => (
          <section key={day} aria-label={day}>
            <h2 className={styles.day}>{day}</h2>
            <ol className={styles.versions}>
              {ofDay.map((version) => (
                <VersionItem
                  key={version.version}
                  table={table}
                  detail={detail}
                  version={version}
                  previous={versions[versions.indexOf(version) + 1] ?? null}
                  isNewest={version.version === head}
                  isShown={version.version === detail.ref.version}
                  isPinned={refText !== branch}
                  onRefChange={onRefChange}
                />
              ))}
            </ol>
          </section>
        ))}
        {hasNextPage && (
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older versions
          </Button>
        )}
      </div>
    </section>
  );
}
