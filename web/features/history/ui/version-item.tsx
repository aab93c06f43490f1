import { useQueryClient } from '@tanstack/react-query';
import {
  Columns3,
  CornerUpLeft,
  Ellipsis,
  FileDown,
  GitCompareArrows,
  GitMerge,
  History,
  type LucideIcon,
  PackageCheck,
  PencilLine,
  Replace,
  SquarePlus,
  Tag,
  Undo2,
  Waypoints,
  Zap,
} from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { TableDetail, VersionInfo } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { comparePath, goTo, tablePath } from '../../../state/addresses.ts';
import { openBranchStep } from '../../../state/branch-steps.ts';
import { formatAgo, formatMoment, formatOf } from '../../../ui/format-quantity.ts';
import {
  Badge,
  Button,
  cx,
  ErrorNote,
  IconButton,
  Menu,
  Note,
  showToast,
  Tooltip,
} from '../../../ui/index.ts';
import { openBranchDialog, revertOnNewBranch } from '../../branches/index.ts';
import {
  describeVersion,
  kindOfVersion,
  signedCounts,
  tagsOf,
  type VersionKind,
  versionRef,
} from '../model.ts';
import { restoreVersion, revertVersion } from '../queries.ts';
import styles from './history.module.css';

const glyphs: Record<VersionKind, LucideIcon> = {
  create: SquarePlus,
  import: FileDown,
  edit: PencilLine,
  undo: Undo2,
  merge: GitMerge,
  rebase: Replace,
  revert: CornerUpLeft,
  restore: History,
  schema: Columns3,
  index: Zap,
  compaction: PackageCheck,
  other: Waypoints,
};

export interface VersionItemProps {
  table: string;
  detail: TableDetail;
  version: VersionInfo;
  /** The version before it; `null` for the first one that is known. */
  previous: VersionInfo | null;
  isNewest: boolean;
  isShown: boolean;
  /** The address names a version or a tag, so that one can go back to the newest. */
  isPinned: boolean;
  onRefChange: (ref: string) => void;
}

/** One version: what it did, who and when, and what can be done with it. */
export function VersionItem({
  table,
  detail,
  version,
  previous,
  isNewest,
  isShown,
  isPinned,
  onRefChange,
}: VersionItemProps) {
  const { message, failure, run } = useVersionWork();
  const client = useQueryClient();
  const kind = kindOfVersion(version.kind);
  const Glyph = glyphs[kind];
  const target = { client, table, branch: version.branch };
  const isOwn = version.branch === detail.ref.branch;
  const isProtected = detail.branches.find(({ name }) => name === version.branch)?.isProtected ?? false;
  const whyFixed = isOwn ? null : `It belongs to ${version.branch}.`;
  const compare = previous && comparePath(table, versionRef(version), versionRef(previous));
  const open = () => onRefChange(isNewest && isOwn ? version.branch : versionRef(version));
  const revert = () =>
    run(async () => {
      if (isProtected) {
        const message = `Take back version ${version.version}: ${describeVersion(version)}`;
        const about = `version-${version.version}`;
        goTo(
          await revertOnNewBranch(
            { client, table },
            { branch: version.branch, version: version.version, about, message, branches: detail.branches },
          ),
        );
        return null;
      }
      const outcome = await revertVersion(target, version);
      if (outcome.status === 'nothing') return 'The branch has nothing of this version any more.';
      if (outcome.status === 'conflicts') {
        openBranchStep({ kind: 'revert', table, branch: version.branch, versions: [version.version] });
        return `${formatOf(outcome.count, 'cell')} of this version changed again since: choose what they shall be, and it is reverted.`;
      }
      return null;
    });
  return (
    <li
      className={cx(styles.version, isShown && styles.shown)}
      aria-label={`Version ${version.version}`}
      aria-current={isShown || undefined}
    >
      <Tooltip text={kind === 'other' ? 'Made outside Curio' : kind} side="left">
        <span className={cx(styles.glyph, styles[kind])}>
          <Glyph aria-label={kind} />
        </span>
      </Tooltip>
      <div className={styles.body}>
        <div className={styles.line}>
          <button
            type="button"
            className={styles.message}
            onClick={open}
            title="Open the table as it was at this version"
          >
            {describeVersion(version)}
          </button>
          {tagsOf(version, detail.tags).map((tag) => (
            <Badge key={tag.name} tone="accent">
              <Tag size={11} aria-label="Tag" />
              {tag.name}
            </Badge>
          ))}
          {isShown && <Badge>shown</Badge>}
          {isNewest && <Badge>newest</Badge>}
        </div>
        <p className={styles.facts}>
          <span className={styles.number}>
            {version.branch === mainBranch ? '' : `${version.branch} `}version {version.version}
          </span>
          <span>{version.author ?? 'another program'}</span>
          <time dateTime={version.at} title={formatMoment(version.at)}>
            {formatAgo(version.at)}
          </time>
          {version.mergedFrom && (
            <Link href={tablePath(table, { ref: versionRef(version.mergedFrom) })}>
              from {version.mergedFrom.branch}, version {version.mergedFrom.version}
            </Link>
          )}
        </p>
        {message && <Note tone="warn">{message}</Note>}
        <ErrorNote error={failure} />
      </div>
      <span className={styles.counts}>
        {signedCounts(version.rows).map(({ tone, text }) => (
          <Badge key={tone} tone={tone} hasSign>
            {text}
          </Badge>
        ))}
      </span>
      <div className={styles.actions}>
        {isShown && isPinned && !isNewest ? (
          <Button size="s" look="quiet" onClick={() => onRefChange(version.branch)}>
            Newest
          </Button>
        ) : (
          <Button size="s" look="quiet" onClick={open}>
            Open
          </Button>
        )}
        <IconButton
          label={`Compare version ${version.version} with the one before`}
          size="s"
          icon={<GitCompareArrows />}
          whyNot={compare ? null : 'It is the first version that is known.'}
          onClick={() => compare && goTo(compare)}
        />
        <Menu
          label={`Actions for version ${version.version}`}
          align="end"
          trigger={
            <IconButton label={`Actions for version ${version.version}`} size="s" icon={<Ellipsis />} />
          }
          items={[
            {
              id: 'tag',
              label: 'Tag this version…',
              icon: <Tag />,
              onSelect: () => openBranchDialog({ kind: 'newTag', table, ref: versionRef(version) }),
            },
            {
              id: 'branch',
              label: 'New branch from here…',
              icon: <SquarePlus />,
              onSelect: () => openBranchDialog({ kind: 'newBranch', table, from: versionRef(version) }),
            },
            {
              id: 'copy',
              label: 'Copy its ref',
              hint: versionRef(version),
              onSelect: () =>
                void navigator.clipboard
                  .writeText(versionRef(version))
                  .then(() => showToast(`Copied ${versionRef(version)}`)),
            },
            'line',
            {
              id: 'revert',
              label: isProtected ? 'Take it back on a new branch…' : 'Revert what it did',
              icon: <CornerUpLeft />,
              whyNot: whyFixed ?? (previous ? null : 'It is the first version.'),
              onSelect: revert,
            },
            {
              id: 'pick',
              label: 'Bring it to another branch…',
              icon: <Replace />,
              whyNot: previous ? null : 'It is the first version.',
              onSelect: () =>
                openBranchStep({
                  kind: 'cherry-pick',
                  table,
                  from: version.branch,
                  versions: [version.version],
                  into: detail.branches.find(
                    ({ name, isProtected }) => !isProtected && name !== version.branch,
                  )?.name,
                }),
            },
            isProtected && {
              id: 'restoreElsewhere',
              label: `Restore ${version.branch} by way of a new branch…`,
              icon: <History />,
              whyNot: isNewest ? 'It is the newest version.' : null,
              onSelect: () =>
                openBranchStep({ kind: 'restore', table, branch: version.branch, ref: versionRef(version) }),
            },
            !isProtected && {
              id: 'restore',
              label: `Restore ${version.branch} to this version`,
              icon: <History />,
              whyNot: whyFixed ?? (isNewest ? 'It is the newest version.' : null),
              onSelect: () =>
                run(async () => {
                  await restoreVersion(target, version);
                  return null;
                }),
            },
          ]}
        />
      </div>
    </li>
  );
}

/** Work of one version: what it said, or how it failed. */
function useVersionWork() {
  const [message, setMessage] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const run = (work: () => Promise<string | null>): void => {
    setMessage(null);
    setFailure(null);
    work().then(setMessage, setFailure);
  };
  return { message, failure, run };
}
