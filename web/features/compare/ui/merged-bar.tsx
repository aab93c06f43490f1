import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, History, Table2, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { MergeResult } from '#shared/api/edits.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { useTableSummary } from '../../../api/index.ts';
import { goTo, tablePath } from '../../../state/addresses.ts';
import { Button, ErrorNote } from '../../../ui/index.ts';
import { deleteBranch, describeRef, readRef } from '../../branches/index.ts';
import { describeMerged } from '../model/merge-words.ts';
import type { Comparison } from '../queries.ts';
import { takeBackMerge } from '../take-back-merge.ts';
import styles from './merge-bar.module.css';

/** What was merged, and where to go from here. */
export function MergedBar({ comparison, result }: { comparison: Comparison; result: MergeResult }) {
  const { table, from, into } = comparison;
  const client = useQueryClient();
  const branches = useTableSummary(table)?.branches ?? [];
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const branch = from === mainBranch ? undefined : branches.find(({ name }) => name === from);
  const hasMoved = branch !== undefined && branch.version !== result.from.version;
  const hasChildren = branches.some(({ parent }) => parent?.branch === from);
  const remove = async () => {
    if (!branch) return;
    setBusy(true);
    setError(null);
    try {
      await deleteBranch({ client, table }, branch);
      goTo(tablePath(table, { ref: into }));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const takeBack = async () => {
    setBusy(true);
    setError(null);
    try {
      goTo(await takeBackMerge({ client, table, from, result, branches }));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const isProtected = branches.find(({ name }) => name === into)?.isProtected ?? true;
  const hasVersion = result.version !== undefined && result.editId !== undefined;
  return (
    <div className={styles.done} role="status" aria-label="Merged">
      <CircleCheck aria-hidden />
      <p className={styles.doneText}>
        <strong>
          Merged {describeRef(readRef(from))} into {into}
        </strong>
        {hasVersion && ` as version ${result.version}`}: {describeMerged(result)}
        {!hasVersion && ` Every conflict was settled for ${into}, and that is remembered.`}
      </p>
      <Button size="s" look="primary" icon={<Table2 />} onClick={() => goTo(tablePath(table, { ref: into }))}>
        Open {into}
      </Button>
      <Button
        size="s"
        icon={<History />}
        onClick={() => goTo(tablePath(table, { ref: into, view: 'history' }))}
      >
        History
      </Button>
      {hasVersion && (
        <Button
          size="s"
          icon={<Undo2 />}
          isBusy={isBusy}
          tip={
            isProtected
              ? `${into} only changes by merges: this makes a branch that takes it back, for you to merge`
              : undefined
          }
          onClick={() => void takeBack()}
        >
          Take it back…
        </Button>
      )}
      {branch && !branch.isProtected && (
        <Button
          size="s"
          icon={<Trash2 />}
          isBusy={isBusy}
          whyNot={
            hasMoved
              ? `${from} has newer commits that are not merged.`
              : hasChildren
                ? 'Other branches were made from it.'
                : null
          }
          tip="Everything on it is merged"
          onClick={() => void remove()}
        >
          Delete branch {from}
        </Button>
      )}
      <ErrorNote error={error} title="That did not work." />
    </div>
  );
}
