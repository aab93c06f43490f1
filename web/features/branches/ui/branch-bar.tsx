import {
  Ellipsis,
  GitBranch,
  GitBranchPlus,
  GitCompareArrows,
  History,
  Lock,
  Replace,
  Settings2,
  Tag,
} from 'lucide-react';
import { Link } from 'wouter';
import type { TableDetail } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { useTableSummary } from '../../../api/index.ts';
import { comparePath, goTo } from '../../../state/addresses.ts';
import { openBranchStep } from '../../../state/branch-steps.ts';
import { useCommands } from '../../../state/commands.ts';
import { formatAgo, formatOf } from '../../../ui/format-quantity.ts';
import { Button, Combobox, IconButton, Menu, Tooltip } from '../../../ui/index.ts';
import { commitsAhead, describeRef, editableBranch, listRefOptions, mergeTarget, readRef } from '../model.ts';
import { openBranchDialog, setBranchListOpen, useBranchListOpen } from '../store.ts';
import styles from './branch-bar.module.css';
import { BranchDialogs } from './branch-dialogs.tsx';
import { ReviewAction } from './review-action.tsx';

export interface BranchBarProps {
  table: string;
  /** The table at `refText`; missing while it is asked for. */
  detail: TableDetail | undefined;
  refText: string;
  onRefChange: (ref: string) => void;
}

/** On which branch, tag or version one is, what it has that its parent has not, and the way to another. */
export function BranchBar({ table, detail, refText, onRefChange }: BranchBarProps) {
  const summary = useTableSummary(table);
  const isOpen = useBranchListOpen();
  const branches = summary?.branches ?? detail?.branches ?? [];
  const tags = detail?.tags ?? [];
  const ref = readRef(refText);
  const here = ref.kind === 'branch' ? branches.find(({ name }) => name === ref.branch) : undefined;
  const editable = editableBranch(refText, branches);
  const ahead = editable ? commitsAhead(editable) : 0;
  const compareWith = editable && editable.name !== mainBranch ? mergeTarget(editable) : mainBranch;
  const newBranch = (name?: string) => openBranchDialog({ kind: 'newBranch', table, from: refText, name });
  const whyNoCompare = refText === compareWith ? 'This is main: choose a branch to compare it' : null;
  const compare = () => goTo(comparePath(table, refText, compareWith));
  const whyNotOwn = editable && !editable.isProtected ? null : 'Switch to a branch of your own first';
  const rebase = () =>
    editable && openBranchStep({ kind: 'rebase', table, branch: editable.name, onto: compareWith });
  const restore = () => openBranchStep({ kind: 'restore', table, branch: detail?.ref.branch ?? mainBranch });
  useCommands([
    {
      id: 'branches.rebase',
      title: `Bring the branch up to date with ${compareWith}`,
      group: 'Branches',
      whyNot: () => whyNotOwn,
      run: rebase,
    },
    { id: 'branches.restore', title: 'Restore the branch to…', group: 'Branches', run: restore },
    {
      id: 'branches.switch',
      title: 'Switch branch',
      group: 'Branches',
      keys: ['b'],
      run: () => setBranchListOpen(true),
    },
    {
      id: 'branches.create',
      title: 'New branch',
      group: 'Branches',
      keys: ['Shift+B'],
      run: () => newBranch(),
    },
    {
      id: 'branches.compare',
      title: `Compare with ${compareWith}`,
      group: 'Branches',
      keys: ['c'],
      whyNot: () => whyNoCompare,
      run: compare,
    },
    {
      id: 'branches.tag',
      title: 'Tag this version',
      group: 'Branches',
      run: () => openBranchDialog({ kind: 'newTag', table, ref: refText }),
    },
    {
      id: 'branches.manage',
      title: 'Branches and tags',
      group: 'Branches',
      run: () => openBranchDialog({ kind: 'manage', table }),
    },
  ]);
  return (
    <>
      <Combobox
        label="Branch"
        isQuiet
        value={refText}
        isOpen={isOpen}
        onOpenChange={setBranchListOpen}
        searchPlaceholder="Find a branch or tag, or name a new one…"
        className={styles.trigger}
        onChange={onRefChange}
        onCreate={(name) => newBranch(name)}
        createLabel={(name) => `New branch “${name}”`}
        options={listRefOptions({ branches, tags, refText }).map((option) => ({
          value: option.value,
          label: option.label,
          group: option.group,
          icon:
            option.group === 'Tags' ? (
              <Tag />
            ) : option.isProtected ? (
              <Lock aria-label="protected" />
            ) : (
              <GitBranch />
            ),
          hint: [
            option.ahead > 0 && `${formatOf(option.ahead, 'commit')} ahead`,
            option.at && formatAgo(option.at),
          ]
            .filter(Boolean)
            .join(' · '),
        }))}
        foot={(close) => (
          <div className={styles.foot}>
            <Button size="s" look="quiet" icon={<GitBranchPlus />} onClick={() => newBranch()}>
              New branch…
            </Button>
            <Button
              size="s"
              look="quiet"
              icon={<Tag />}
              onClick={() => openBranchDialog({ kind: 'newTag', table, ref: refText })}
            >
              Tag this version…
            </Button>
            <IconButton
              label="Branches and tags"
              size="s"
              icon={<Settings2 />}
              onClick={() => {
                close();
                openBranchDialog({ kind: 'manage', table });
              }}
            />
          </div>
        )}
      >
        <span className={styles.current}>
          {ref.kind === 'tag' ? <Tag aria-hidden /> : <GitBranch aria-hidden />}
          <span className={styles.name}>{describeRef(ref)}</span>
          {here?.isProtected && !(ref.kind === 'branch' && ref.version !== undefined) && (
            <Lock className={styles.lock} aria-label="protected" />
          )}
        </span>
      </Combobox>
      <IconButton label="New branch" keys="Shift+B" icon={<GitBranchPlus />} onClick={() => newBranch()} />
      <Menu
        label="Actions for the branch"
        trigger={<IconButton label="Actions for the branch" icon={<Ellipsis />} />}
        items={[
          {
            id: 'compare',
            label: `Compare with ${compareWith}`,
            icon: <GitCompareArrows />,
            whyNot: whyNoCompare,
            onSelect: compare,
          },
          {
            id: 'rebase',
            label: `Bring up to date with ${compareWith}…`,
            icon: <Replace />,
            whyNot: whyNotOwn,
            onSelect: rebase,
          },
          { id: 'restore', label: 'Restore to…', icon: <History />, onSelect: restore },
          'line',
          {
            id: 'tag',
            label: 'Tag this version…',
            icon: <Tag />,
            onSelect: () => openBranchDialog({ kind: 'newTag', table, ref: refText }),
          },
          {
            id: 'manage',
            label: 'Branches and tags…',
            icon: <Settings2 />,
            onSelect: () => openBranchDialog({ kind: 'manage', table }),
          },
        ]}
      />
      {detail && !editable && (
        <span className={styles.past}>
          {ref.kind === 'tag'
            ? `version ${detail.ref.version} of ${detail.ref.branch}, read-only`
            : 'read-only'}
          <Button size="s" look="quiet" onClick={() => onRefChange(detail.ref.branch)}>
            Newest
          </Button>
        </span>
      )}
      {editable && editable.name !== mainBranch && (
        <Tooltip text={`See what ${editable.name} changes in ${compareWith}`} keys="c">
          <Link href={comparePath(table, editable.name, compareWith)} className={styles.ahead}>
            <GitCompareArrows aria-hidden />
            {ahead === 0 ? 'Compare' : `${formatOf(ahead, 'commit')} ahead · Compare`}
          </Link>
        </Tooltip>
      )}
      <ReviewAction table={table} branch={editable} into={compareWith} />
      <BranchDialogs
        table={table}
        branches={branches}
        tags={tags}
        refText={refText}
        onRefChange={onRefChange}
      />
    </>
  );
}
