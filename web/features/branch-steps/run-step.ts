import type { QueryClient } from '@tanstack/react-query';
import type { DiffSummary, MergeChoice, MergeResult } from '#shared/api/edits.ts';
import { callJson, refreshHeads } from '../../api/index.ts';
import type { BranchStep } from '../../state/branch-steps.ts';
import { showDone } from '../../state/undo.ts';
import { showToast } from '../../ui/index.ts';

export interface StepChoices {
  choices: MergeChoice[];
  take?: 'from' | 'into';
}

export interface StepRequest extends StepChoices {
  step: BranchStep;
  /** The branch that changes. */
  branch: string;
  message?: string;
  expected?: { from?: number; into?: number };
  dryRun?: boolean;
}

/** Plans or does a rebase, cherry-pick or revert. */
export function callStep(request: StepRequest, signal?: AbortSignal): Promise<MergeResult> {
  const { step, branch, message, choices, take, expected, dryRun } = request;
  const params = { table: step.table };
  const options = {
    ...(choices.length > 0 ? { choices } : {}),
    ...(take ? { take } : {}),
    ...(message ? { message } : {}),
    ...(expected ? { expected } : {}),
    ...(dryRun ? { dryRun } : {}),
  };
  switch (step.kind) {
    case 'rebase':
      return callJson('rebase', { params, body: { branch, onto: step.onto, ...options }, signal });
    case 'cherry-pick': {
      const { from, keys, rowIds, columns, versions } = step;
      const body = {
        from,
        into: branch,
        ...(keys ? { keys: [...keys] } : {}),
        ...(rowIds ? { rowIds: [...rowIds] } : {}),
        ...(columns ? { columns: [...columns] } : {}),
        ...(versions ? { versions: [...versions] } : {}),
        ...options,
      };
      return callJson('cherryPick', { params, body, signal });
    }
    case 'revert':
      return callJson('revert', {
        params,
        body: { branch, versions: [...step.versions], ...options },
        signal,
      });
    case 'restore':
      throw new TypeError('a restore has no plan of its own');
  }
}

/** What restoring a branch to a ref would change on it. */
export const planRestore = (
  { table, branch, ref }: { table: string; branch: string; ref: string },
  signal?: AbortSignal,
): Promise<DiffSummary> =>
  callJson('diff', { params: { table }, body: { from: ref, into: branch, base: branch }, signal });

/** Does a step, and offers to undo it; one that made no version is only noted, and there is nothing to undo. */
export async function landStep(
  client: QueryClient,
  request: StepRequest,
  label: string,
): Promise<MergeResult> {
  const result = await callStep(request);
  if (result.status === 'merged') await finish(client, { ...request, label, editId: result.editId });
  return result;
}

/** Makes a branch as a ref is, and offers to undo it. */
export async function landRestore(
  client: QueryClient,
  request: { step: BranchStep; branch: string; ref: string; message: string },
): Promise<void> {
  const { step, branch, ref, message } = request;
  const { editId } = await callJson('restore', {
    params: { table: step.table },
    body: { branch, ref, message },
  });
  await finish(client, { ...request, label: `Restored ${branch} to ${ref}`, editId });
}

interface Done {
  step: BranchStep;
  branch: string;
  label: string;
  editId: string | undefined;
}

async function finish(client: QueryClient, { step: { table }, branch, label, editId }: Done): Promise<void> {
  await refreshHeads(client, table);
  if (!editId) {
    showToast(label);
    return;
  }
  let last = editId;
  const takeBack = async () => {
    last = (await callJson('undo', { params: { table }, body: { branch, editId: last } })).editId;
    await refreshHeads(client, table);
  };
  showDone({ label, undo: takeBack, redo: takeBack });
}
