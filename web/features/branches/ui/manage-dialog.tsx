import { useQueryClient } from '@tanstack/react-query';
import { GitBranch, Lock, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { BranchInfo, TagInfo } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { formatAgo, formatOf } from '../../../ui/format-quantity.ts';
import { Button, Dialog, ErrorNote, IconButton } from '../../../ui/index.ts';
import { deleteBranch, deleteTag } from '../actions.ts';
import { commitsAhead, whyNotDeleted } from '../model.ts';
import { closeBranchDialog } from '../store.ts';
import styles from './branch-dialogs.module.css';
import type { BranchDialogsProps } from './branch-dialogs.tsx';

/** All branches and tags of a table, with the way to delete them and why not. */
export function ManageDialog(props: BranchDialogsProps) {
  const { branches, tags } = props;
  return (
    <Dialog isOpen onOpenChange={closeBranchDialog} title="Branches and tags">
      <h3 className={styles.heading}>Branches</h3>
      <ul aria-label="Branches">
        {branches.map((branch) => (
          <BranchItem key={branch.name} branch={branch} {...props} />
        ))}
      </ul>
      <h3 className={styles.heading}>Tags</h3>
      {tags.length === 0 && (
        <p className={styles.none}>
          None yet. A tag names a version for good, such as the one a model was trained on.
        </p>
      )}
      <ul aria-label="Tags">
        {tags.map((tag) => (
          <TagItem key={tag.name} tag={tag} {...props} />
        ))}
      </ul>
    </Dialog>
  );
}

function BranchItem({
  branch,
  table,
  branches,
  tags,
  refText,
  onRefChange,
}: BranchDialogsProps & { branch: BranchInfo }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const ahead = commitsAhead(branch);
  const remove = async () => {
    setBusy(true);
    setError(null);
    try {
      if (refText === branch.name || refText.startsWith(`${branch.name}:`))
        onRefChange(branch.parent?.branch ?? mainBranch);
      await deleteBranch({ client, table }, branch);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const facts = [
    branch.parent && `from ${branch.parent.branch}:${branch.parent.version}`,
    ahead > 0 && `${formatOf(ahead, 'commit')} ahead`,
    `changed ${formatAgo(branch.updatedAt)}`,
  ];
  return (
    <li className={styles.item} aria-label={branch.name}>
      <div className={styles.line}>
        {branch.isProtected ? <Lock aria-label="protected" /> : <GitBranch aria-hidden />}
        <span className={styles.name}>{branch.name}</span>
        <span className={styles.facts}>{facts.filter(Boolean).join(' · ')}</span>
        {branch.name !== mainBranch && (
          <IconButton
            label={`Delete branch ${branch.name}`}
            size="s"
            icon={<Trash2 />}
            whyNot={whyNotDeleted(branch, { branches, tags })}
            isBusy={isBusy}
            onClick={() => (ahead > 0 ? setAsking(true) : void remove())}
          />
        )}
      </div>
      {isAsking && (
        <div className={styles.ask} role="alertdialog" aria-label={`Delete branch ${branch.name}`}>
          <p>
            {formatOf(ahead, 'commit')} of <strong>{branch.name}</strong> will be gone, unless they were
            merged. This cannot be undone.
          </p>
          <div className={styles.buttons}>
            <Button size="s" onClick={() => setAsking(false)} autoFocus>
              Keep it
            </Button>
            <Button size="s" look="danger" isBusy={isBusy} onClick={() => void remove()}>
              Delete {branch.name}
            </Button>
          </div>
        </div>
      )}
      <ErrorNote error={error} title={`${branch.name} was not deleted.`} />
    </li>
  );
}

function TagItem({ tag, table, refText, onRefChange }: BranchDialogsProps & { tag: TagInfo }) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const remove = async () => {
    setBusy(true);
    setError(null);
    try {
      if (refText === `tag:${tag.name}`) onRefChange(tag.branch);
      await deleteTag({ client, table }, tag);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const facts = [
    `version ${tag.version} of ${tag.branch}`,
    tag.createdAt && formatAgo(tag.createdAt),
    tag.message,
  ];
  return (
    <li className={styles.item} aria-label={tag.name}>
      <div className={styles.line}>
        <Tag aria-hidden />
        <span className={styles.name}>{tag.name}</span>
        <span className={styles.facts}>{facts.filter(Boolean).join(' · ')}</span>
        <IconButton
          label={`Delete tag ${tag.name}`}
          size="s"
          icon={<Trash2 />}
          isBusy={isBusy}
          onClick={() => void remove()}
        />
      </div>
      <ErrorNote error={error} title={`${tag.name} was not deleted.`} />
    </li>
  );
}
