import type { ChangeKind } from '#shared/api/edits.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { Badge, Button, cx, Skeleton } from '../../../ui/index.ts';
import { type Change, type Compared, countChanges } from '../../compare/index.ts';
import { keyToken } from '../model/anchor.ts';
import { useReviewScene } from '../review-scene.ts';
import { useTab } from '../use-tab.ts';
import styles from './review.module.css';
import { hasPictures, RowThumb } from './row-thumb.tsx';

const kinds: ChangeKind[] = ['modified', 'added', 'removed'];
const signs: Record<ChangeKind, string> = { modified: '~', added: '+', removed: '−' };
const shownTiles = 8;
const shownColumns = 6;

/** The changes at a glance: how many of each kind, in which columns, and the first rows as pictures. */
export function ChangeStrip() {
  const { review, compared } = useReviewScene();
  const [, setTab] = useTab();
  const summary = compared?.state.summary ?? review.changes;
  if (!summary) return compared && !compared.state.error ? <Skeleton height={56} /> : null;
  const cells = Object.entries(summary.cells).sort(([, a], [, b]) => b - a);
  const columns = [
    ...summary.columns.added.map((name) => `+ ${name}`),
    ...summary.columns.removed.map((name) => `− ${name}`),
    ...summary.columns.changed.map(({ before, after }) => `${before} → ${after}`),
  ];
  const isEmpty = countChanges(summary) === 0;
  return (
    <section aria-label="Changes at a glance" className={styles.glance}>
      <div className={styles.numbers}>
        {isEmpty && <span className={styles.quiet}>Nothing differs from {review.into}.</span>}
        {kinds.map(
          (kind) =>
            summary.rows[kind] > 0 && (
              <Badge key={kind} tone={kind} hasSign>
                {formatCount(summary.rows[kind])} {kind}
              </Badge>
            ),
        )}
        {columns.length > 0 && <Badge tone="accent">columns: {columns.join(', ')}</Badge>}
        {summary.conflicts.cells > 0 && (
          <Badge tone="conflict" hasSign>
            {formatOf(summary.conflicts.cells, 'conflict')}
          </Badge>
        )}
        {cells.slice(0, shownColumns).map(([name, count]) => (
          <span key={name} className={styles.cellCount}>
            {name} <b>{formatCount(count)}</b>
          </span>
        ))}
        {cells.length > shownColumns && (
          <span className={styles.cellCount}>and {formatOf(cells.length - shownColumns, 'column')}</span>
        )}
        {compared && !isEmpty && (
          <Button size="s" look="quiet" keys="t" className={styles.all} onClick={() => setTab('changes')}>
            See all changes
          </Button>
        )}
      </div>
      {compared && hasPictures(compared) && <Pictures compared={compared} />}
    </section>
  );
}

function Pictures({ compared }: { compared: Compared }) {
  const { showRow, byRow } = useReviewScene();
  const [, setTab] = useTab();
  const { loaded, total } = compared.state;
  const shown = loaded.slice(0, total > shownTiles ? shownTiles - 1 : shownTiles);
  const rest = total - shown.length;
  return (
    <ul aria-label={`The first ${shown.length} of ${total} changed rows`} className={styles.pictures}>
      {shown.map((change) => (
        <li key={change.id}>
          <button
            type="button"
            className={styles.picture}
            aria-label={`${change.keyText}, ${change.kind}`}
            title={`${change.keyText}, ${change.kind}`}
            onClick={() => showRow(change.key)}
          >
            <Picture compared={compared} change={change} />
            <span className={cx(styles.sign, styles[change.kind])} aria-hidden>
              {signs[change.kind]}
            </span>
            {byRow.has(keyToken(change.key)) && <span className={styles.hasThread} aria-hidden />}
          </button>
        </li>
      ))}
      {rest > 0 && (
        <li>
          <button type="button" className={styles.picture} onClick={() => setTab('changes')}>
            <span className={styles.frame}>
              <span className={styles.more}>
                +{formatCount(rest)}
                <span className="visually-hidden"> more changed rows</span>
              </span>
            </span>
          </button>
        </li>
      )}
    </ul>
  );
}

const Picture = ({ compared, change }: { compared: Compared; change: Change }) => (
  <span className={cx(styles.frame, change.kind === 'removed' && styles.leaving)}>
    <RowThumb compared={compared} change={change} widthPx={72} heightPx={54}>
      <span className={styles.noPicture}>{change.keyText}</span>
    </RowThumb>
  </span>
);
