import { ExternalLink, X } from 'lucide-react';
import { Link } from 'wouter';
import type { DiffSummary } from '#shared/api/edits.ts';
import type { GraphVersion } from '#shared/api/history.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { goTo, reviewPath, tablePath } from '../../../state/addresses.ts';
import { formatCount, formatMoment, formatOf } from '../../../ui/format-quantity.ts';
import { Badge, Button, ErrorNote, IconButton, Menu, Note, Skeleton, Spacer } from '../../../ui/index.ts';
import { describeVersion, kindOfVersion, kindWords, versionRef } from '../model.ts';
import { useVersionDiff } from '../queries.ts';
import type { VersionActions } from './use-version-actions.tsx';
import styles from './version-detail.module.css';

export interface VersionDetailProps {
  table: string;
  version: GraphVersion;
  actions: VersionActions;
  onClose: () => void;
}

/** What one version did, exactly: rows, cells of each column, columns; and what to do with it. */
export function VersionDetail({ table, version, actions, onClose }: VersionDetailProps) {
  const ref = versionRef(version);
  const previous = version.parent && formatRef(version.parent);
  const diff = useVersionDiff(table, ref, previous);
  const changes = actions.changesOf(version);
  const isAbout = actions.about === ref;
  return (
    <aside className={styles.detail} aria-label="Version">
      <header className={styles.head}>
        <h2 className={styles.title}>{describeVersion(version)}</h2>
        <Spacer />
        <IconButton label="Close" keys="Escape" size="s" icon={<X />} onClick={onClose} />
      </header>
      <div className={styles.body}>
        {isAbout && actions.message && <Note tone="warn">{actions.message}</Note>}
        {isAbout && <ErrorNote error={actions.failure} />}
        <Facts table={table} version={version} />
        <div className={styles.buttons}>
          <Button size="s" look="primary" onClick={() => actions.open(version)}>
            Open
          </Button>
          <Button
            size="s"
            whyNot={changes ? null : 'It is the first version that is known.'}
            onClick={() => changes && goTo(changes)}
          >
            See the changes
          </Button>
          <Spacer />
          <Menu
            label={`More for ${ref}`}
            align="end"
            trigger={
              <Button size="s" look="quiet">
                More…
              </Button>
            }
            items={actions.menuOf(version)}
          />
        </div>
        <section aria-label="What it did" className={styles.did}>
          <h3 className={styles.heading}>What it did</h3>
          {previous === null ? (
            <p className={styles.faint}>
              It is the first version that is known, so there is nothing before it.
            </p>
          ) : diff.isPending ? (
            <Skeleton height={72} />
          ) : diff.data ? (
            <Did diff={diff.data} />
          ) : (
            <ErrorNote
              error={diff.error}
              title="It cannot be compared with the one before."
              onRetry={() => void diff.refetch()}
            />
          )}
        </section>
      </div>
    </aside>
  );
}

function Facts({ table, version }: { table: string; version: GraphVersion }) {
  const { mergedFrom, restoredTo, parent, review } = version;
  const refLink = (ref: string) => (
    <Link href={tablePath(table, { ref })}>
      {ref} <ExternalLink size={11} aria-hidden />
    </Link>
  );
  return (
    <dl className={styles.facts}>
      <dt>Version</dt>
      <dd>{versionRef(version)}</dd>
      <dt>Kind</dt>
      <dd>{kindWords(kindOfVersion(version.kind))}</dd>
      <dt>By</dt>
      <dd>{version.author ?? 'another program'}</dd>
      <dt>When</dt>
      <dd>{formatMoment(version.at)}</dd>
      {parent && (
        <>
          <dt>After</dt>
          <dd>{refLink(formatRef(parent))}</dd>
        </>
      )}
      {mergedFrom && (
        <>
          <dt>Merged</dt>
          <dd>
            {version.isSourceThere
              ? refLink(formatRef(mergedFrom))
              : `${formatRef(mergedFrom)}, a branch that has been deleted`}
          </dd>
        </>
      )}
      {restoredTo && (
        <>
          <dt>Restored to</dt>
          <dd>{refLink(formatRef(restoredTo))}</dd>
        </>
      )}
      {review && (
        <>
          <dt>Review</dt>
          <dd>
            <Link href={reviewPath(review)}>#{review}</Link>
          </dd>
        </>
      )}
    </dl>
  );
}

function Did({ diff }: { diff: DiffSummary }) {
  const { rows, columns, cells } = diff;
  const byCount = Object.entries(cells).sort((a, b) => b[1] - a[1]);
  const most = byCount[0]?.[1] ?? 1;
  const schema = [
    ...columns.added.map((name) => ({ tone: 'added' as const, text: `column ${name}` })),
    ...columns.removed.map((name) => ({ tone: 'removed' as const, text: `column ${name}` })),
    ...columns.changed.map(({ before, after }) => ({
      tone: 'modified' as const,
      text: `${before} → ${after}`,
    })),
    ...columns.facts.map(({ column, fact }) => ({ tone: 'modified' as const, text: `${fact} of ${column}` })),
  ];
  const isNothing = rows.added + rows.removed + rows.modified + schema.length === 0;
  return (
    <>
      {isNothing && (
        <p className={styles.faint}>No row and no column is different from the version before.</p>
      )}
      {!isNothing && (
        <p className={styles.badges}>
          {rows.added > 0 && (
            <Badge tone="added" hasSign>
              {formatOf(rows.added, 'row')}
            </Badge>
          )}
          {rows.removed > 0 && (
            <Badge tone="removed" hasSign>
              {formatOf(rows.removed, 'row')}
            </Badge>
          )}
          {rows.modified > 0 && (
            <Badge tone="modified" hasSign>
              {formatOf(rows.modified, 'row')}
            </Badge>
          )}
          {schema.map(({ tone, text }) => (
            <Badge key={text} tone={tone} hasSign>
              {text}
            </Badge>
          ))}
        </p>
      )}
      {byCount.length > 0 && (
        <table className={styles.cells}>
          <caption className="visually-hidden">Changed cells by column</caption>
          <tbody>
            {byCount.map(([column, count]) => (
              <tr key={column}>
                <th scope="row" title={column}>
                  {column}
                </th>
                <td className={styles.bar}>
                  <span style={{ width: `${Math.max(2, (count / most) * 100)}%` }} />
                </td>
                <td className={styles.count}>{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {byCount.length > 0 && <p className={styles.faint}>Changed cells among the changed rows, exact.</p>}
    </>
  );
}
