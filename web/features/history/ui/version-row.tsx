import { Ellipsis, GitBranch, GitCompareArrows, GitPullRequest, Tag } from 'lucide-react';
import { Link } from 'wouter';
import type { GraphVersion } from '#shared/api/history.ts';
import type { ReviewSummary } from '#shared/api/reviews.ts';
import type { BranchInfo, TagInfo } from '#shared/api/tables.ts';
import { goTo, reviewPath } from '../../../state/addresses.ts';
import { formatAgo, formatMoment } from '../../../ui/format-quantity.ts';
import { Badge, Checkbox, cx, IconButton, Menu } from '../../../ui/index.ts';
import type { LaneRow } from '../model/plan-lanes.ts';
import { describeVersion, kindOfVersion, signedCounts, versionRef } from '../model.ts';
import styles from './history.module.css';
import { LaneCell } from './lane-cell.tsx';
import type { VersionActions } from './use-version-actions.tsx';

export const versionPx = 50;

export interface VersionRowProps {
  version: GraphVersion;
  row: LaneRow;
  lanes: number;
  /** Branches whose newest version it is, those without any of their own included. */
  heads: readonly BranchInfo[];
  tags: readonly TagInfo[];
  /** Open reviews that offer a branch that ends here. */
  reviews: readonly ReviewSummary[];
  isShown: boolean;
  isChosen: boolean;
  /** The one that Tab comes to. */
  isEntry: boolean;
  onChoose: () => void;
  isMarked: boolean;
  onMark: () => void;
  actions: VersionActions;
}

/** One version beside its lane: what it did, who and when, what points at it. */
export function VersionRow(props: VersionRowProps) {
  const { version, row, lanes, heads, tags, reviews, isShown, isChosen, isEntry, onChoose, actions } = props;
  const { isMarked, onMark } = props;
  const kind = kindOfVersion(version.kind);
  const ref = versionRef(version);
  const changes = actions.changesOf(version);
  return (
    <>
      <LaneCell
        row={row}
        lanes={lanes}
        heightPx={versionPx}
        isMerge={version.mergedFrom !== null && kind === 'merge'}
        isShown={isShown}
      />
      <div className={styles.body}>
        <div className={styles.line}>
          <button
            type="button"
            className={styles.message}
            tabIndex={isEntry ? 0 : -1}
            aria-pressed={isChosen}
            onClick={(event) => (event.ctrlKey || event.metaKey ? onMark() : onChoose())}
            onDoubleClick={() => actions.open(version)}
            title={describeVersion(version)}
          >
            {describeVersion(version)}
          </button>
          {heads.map(({ name }) => (
            <span key={name} className={cx(styles.chip, styles.branchChip)}>
              <GitBranch size={11} aria-label="Newest of" />
              {name}
            </span>
          ))}
          {tags.map(({ name }) => (
            <span key={name} className={cx(styles.chip, styles.tagChip)}>
              <Tag size={11} aria-label="Tag" />
              {name}
            </span>
          ))}
          {reviews.map(({ id, title }) => (
            <Link key={id} href={reviewPath(id)} className={cx(styles.chip, styles.tagChip)} title={title}>
              <GitPullRequest size={11} aria-label="Open review" />
              {title}
            </Link>
          ))}
          {isShown && <Badge>shown</Badge>}
        </div>
        <p className={styles.facts}>
          <span className={styles.number}>{ref}</span>
          <span>{version.author ?? 'another program'}</span>
          <time dateTime={version.at} title={formatMoment(version.at)}>
            {formatAgo(version.at)}
          </time>
          {version.mergedFrom && <span>from {version.mergedFrom.branch}</span>}
          {version.mergedFrom && !version.isSourceThere && <span>(deleted since)</span>}
        </p>
      </div>
      <span className={styles.counts}>
        {signedCounts(version.rows).map(({ tone, text }) => (
          <Badge key={tone} tone={tone} hasSign>
            {text}
          </Badge>
        ))}
      </span>
      <span className={styles.mark}>
        <Checkbox label={`Mark ${ref}`} isLabelHidden isChecked={isMarked} onChange={onMark} />
      </span>
      <div className={styles.actions}>
        <IconButton
          label={`Compare ${ref} with the one before`}
          size="s"
          icon={<GitCompareArrows />}
          whyNot={changes ? null : 'It is the first version that is known.'}
          onClick={() => changes && goTo(changes)}
        />
        <Menu
          label={`Actions for ${ref}`}
          align="end"
          trigger={<IconButton label={`Actions for ${ref}`} size="s" icon={<Ellipsis />} />}
          items={actions.menuOf(version)}
        />
      </div>
    </>
  );
}
