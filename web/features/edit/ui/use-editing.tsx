import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isAppError } from '#shared/api/problem.ts';
import type { TableDetail } from '#shared/api/tables.ts';
import type { EditOp } from '#shared/domain/edits.ts';
import { Button, ErrorNote } from '../../../ui/index.ts';
import { type EditRequest, submitEdit } from '../submit-edit.ts';
import { BranchFirstDialog } from './branch-first-dialog.tsx';

export interface Editing {
  isBusy: boolean;
  error: unknown;
  clearError: () => void;
  /** Makes the edit, on a new branch first where this one must not change; `false` when the person decided against it. */
  submit: (request: EditRequest) => Promise<boolean>;
  /** Render this where the edit was made: the offer of a branch. */
  dialog: ReactNode;
  /** The error with its way out, or nothing. */
  problem: ReactNode;
}

interface Waiting {
  request: EditRequest;
  settle: (isDone: boolean) => void;
}

/** Whether edits of what is shown land where it is shown. */
export function isEditableHere({
  isHead,
  ref,
  branches,
}: Pick<TableDetail, 'isHead' | 'ref' | 'branches'>): boolean {
  return isHead && !branches.find(({ name }) => name === ref.branch)?.isProtected;
}

/** Edits of one table at the ref that is shown. What was typed is kept until the edit is done. */
export function useEditing(table: string, detail: TableDetail): Editing {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [moved, setMoved] = useState<Waiting | null>(null);
  const [waiting, setWaiting] = useState<Waiting | null>(null);

  const giveUpMoved = () => {
    moved?.settle(false);
    setMoved(null);
    setError(null);
  };

  /** Where the branch has moved, the answer waits for the person to decide. */
  const attempt = async (request: EditRequest): Promise<boolean> => {
    setBusy(true);
    setError(null);
    try {
      const { branch, version } = detail.ref;
      await submitEdit({ client, table, branch, version, columns: detail.columns }, request);
      return true;
    } catch (failure) {
      setError(failure);
      if (!isAppError(failure) || failure.code !== 'HEAD_MOVED') return false;
      return new Promise((settle) => setMoved({ request, settle }));
    } finally {
      setBusy(false);
    }
  };

  const submit = (request: EditRequest): Promise<boolean> => {
    giveUpMoved();
    return isEditableHere(detail)
      ? attempt(request)
      : new Promise((settle) => setWaiting({ request, settle }));
  };

  const close = (isDone: boolean) => {
    waiting?.settle(isDone);
    setWaiting(null);
  };

  const force = ({ request, settle }: Waiting) => {
    setMoved(null);
    void attempt({ ...request, isForced: true }).then(settle);
  };
  return {
    isBusy,
    error,
    clearError: giveUpMoved,
    submit,
    dialog: waiting && (
      <BranchFirstDialog
        table={table}
        detail={detail}
        request={waiting.request}
        onDone={() => close(true)}
        onCancel={() => close(false)}
      />
    ),
    problem: error ? (
      <ErrorNote
        error={error}
        title="Nothing was changed."
        actions={
          moved && (
            <Button size="s" onClick={() => force(moved)}>
              Change it on the newest version
            </Button>
          )
        }
      />
    ) : null,
  };
}

/** What an edit sets on one row. */
export const setCell = (row: string, column: string, value: unknown): EditOp => ({
  op: 'set',
  rows: { ids: [row] },
  values: { [column]: value },
});
