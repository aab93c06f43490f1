import { useQueryClient } from '@tanstack/react-query';
import {
  Copy,
  CornerUpLeft,
  GitCompareArrows,
  History,
  Replace,
  SquarePlus,
  Table2,
  Tag,
} from 'lucide-react';
import { useState } from 'react';
import type { GraphVersion } from '#shared/api/history.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { comparePath, goTo } from '../../../state/addresses.ts';
import { openBranchStep } from '../../../state/branch-steps.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { type MenuEntry, showToast } from '../../../ui/index.ts';
import { openBranchDialog, revertOnNewBranch } from '../../branches/index.ts';
import { describeVersion, versionRef } from '../model.ts';
import { restoreVersion, revertVersion } from '../queries.ts';

export interface VersionActionsInput {
  table: string;
  detail: TableDetail;
  onRefChange: (ref: string) => void;
  /** There is something to say of what was done with a version. */
  onSaid: (ref: string) => void;
}

export interface VersionActions {
  /** Of the version that something was done with last. */
  about: string | null;
  message: string | null;
  failure: unknown;
  isHead: (version: GraphVersion) => boolean;
  open: (version: GraphVersion) => void;
  /** The address of what it did, or `null` for the first version that is known. */
  changesOf: (version: GraphVersion) => string | null;
  menuOf: (version: GraphVersion) => MenuEntry[];
}

/** What can be done with versions, and how the last of it went. */
export function useVersionActions({
  table,
  detail,
  onRefChange,
  onSaid,
}: VersionActionsInput): VersionActions {
  const client = useQueryClient();
  const [done, setDone] = useState<{ about: string; message: string | null; failure: unknown } | null>(null);
  const run = (about: string, work: () => Promise<string | null>): void => {
    setDone(null);
    const say = (message: string | null, failure: unknown): void => {
      setDone({ about, message, failure });
      if (message || failure) onSaid(about);
    };
    work().then(
      (message) => say(message, null),
      (failure: unknown) => say(null, failure),
    );
  };
  const headOf = (name: string) => detail.branches.find((branch) => branch.name === name);
  const isHead = ({ branch, version }: GraphVersion) => headOf(branch)?.version === version;
  const isProtected = ({ branch }: GraphVersion) => headOf(branch)?.isProtected ?? false;
  const changesOf = (version: GraphVersion) =>
    version.parent && comparePath(table, versionRef(version), formatRef(version.parent));
  const open = (version: GraphVersion) => onRefChange(isHead(version) ? version.branch : versionRef(version));

  const revert = (version: GraphVersion) =>
    run(versionRef(version), async () => {
      if (isProtected(version)) {
        const message = `Take back version ${version.version}: ${describeVersion(version)}`;
        const about = `version-${version.version}`;
        const { branch, version: number } = version;
        goTo(
          await revertOnNewBranch(
            { client, table },
            { branch, version: number, about, message, branches: detail.branches },
          ),
        );
        return null;
      }
      const { branch, version: number } = version;
      const outcome = await revertVersion({ client, table, branch }, version);
      if (outcome.status === 'nothing') return 'The branch has nothing of this version any more.';
      if (outcome.status === 'conflicts') {
        openBranchStep({ kind: 'revert', table, branch, versions: [number] });
        return `${formatOf(outcome.count, 'cell')} of this version changed again since: choose what they shall be, and it is reverted.`;
      }
      return null;
    });

  const restore = (version: GraphVersion) =>
    run(versionRef(version), async () => {
      await restoreVersion({ client, table, branch: version.branch }, version);
      return null;
    });

  const menuOf = (version: GraphVersion): MenuEntry[] => {
    const ref = versionRef(version);
    const shown = formatRef(detail.ref);
    const changes = changesOf(version);
    const whyFirst = version.parent ? null : 'It is the first version that is known.';
    const whyNewest = isHead(version) ? 'It is the newest version.' : null;
    return [
      { id: 'open', label: 'Open the table at it', icon: <Table2 />, onSelect: () => open(version) },
      {
        id: 'changes',
        label: 'Compare with the one before',
        icon: <GitCompareArrows />,
        whyNot: whyFirst,
        onSelect: () => changes && goTo(changes),
      },
      {
        id: 'since',
        label: `What changed since on ${version.branch}`,
        icon: <GitCompareArrows />,
        whyNot: whyNewest,
        onSelect: () => goTo(comparePath(table, version.branch, ref)),
      },
      ref !== shown && {
        id: 'shown',
        label: `Compare with the shown ${shown}`,
        icon: <GitCompareArrows />,
        onSelect: () => goTo(comparePath(table, ref, shown)),
      },
      'line',
      {
        id: 'tag',
        label: 'Tag this version…',
        icon: <Tag />,
        onSelect: () => openBranchDialog({ kind: 'newTag', table, ref }),
      },
      {
        id: 'branch',
        label: 'New branch from here…',
        icon: <SquarePlus />,
        onSelect: () => openBranchDialog({ kind: 'newBranch', table, from: ref }),
      },
      {
        id: 'copy',
        label: 'Copy its ref',
        icon: <Copy />,
        hint: ref,
        onSelect: () => void navigator.clipboard.writeText(ref).then(() => showToast(`Copied ${ref}`)),
      },
      'line',
      {
        id: 'revert',
        label: isProtected(version) ? 'Take it back on a new branch…' : 'Revert what it did',
        icon: <CornerUpLeft />,
        whyNot: whyFirst,
        onSelect: () => revert(version),
      },
      {
        id: 'pick',
        label: 'Bring it to another branch…',
        icon: <Replace />,
        whyNot: whyFirst,
        onSelect: () =>
          openBranchStep({
            kind: 'cherry-pick',
            table,
            from: version.branch,
            versions: [version.version],
            into: detail.branches.find(({ name, isProtected }) => !isProtected && name !== version.branch)
              ?.name,
          }),
      },
      isProtected(version)
        ? {
            id: 'restoreElsewhere',
            label: `Restore ${version.branch} by way of a new branch…`,
            icon: <History />,
            whyNot: whyNewest,
            onSelect: () => openBranchStep({ kind: 'restore', table, branch: version.branch, ref }),
          }
        : {
            id: 'restore',
            label: `Restore ${version.branch} to this version`,
            icon: <History />,
            whyNot: whyNewest,
            onSelect: () => restore(version),
          },
    ];
  };
  return {
    about: done?.about ?? null,
    message: done?.message ?? null,
    failure: done?.failure ?? null,
    isHead,
    open,
    changesOf,
    menuOf,
  };
}
