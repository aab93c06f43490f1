import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { goTo } from '../../../state/addresses.ts';
import { ErrorNote, FormDialog, TextField, useSubmit } from '../../../ui/index.ts';
import { branchNameProblem, createBranch, pinnedText } from '../../branches/index.ts';
import { describeEdit, suggestBranchName } from '../model/describe-edit.ts';
import { type EditRequest, submitEdit } from '../submit-edit.ts';
import styles from './edit-dialogs.module.css';

export interface BranchFirstDialogProps {
  table: string;
  detail: TableDetail;
  request: EditRequest;
  onDone: () => void;
  onCancel: () => void;
}

/** The address of the same screen on another ref. */
function sameScreenOn(ref: string): string {
  const search = new URLSearchParams(location.search);
  search.set('ref', ref);
  return `${location.pathname}?${search}`;
}

/** Offers a branch for an edit that must not land here, makes the edit there and goes there. */
export function BranchFirstDialog({ table, detail, request, onDone, onCancel }: BranchFirstDialogProps) {
  const client = useQueryClient();
  const taken = detail.branches.map(({ name }) => name);
  const [name, setName] = useState(() => suggestBranchName(request.op, taken));
  const [made, setMade] = useState<string | null>(null);
  const problem = made === name ? null : branchNameProblem(name, taken);
  const { branch, version } = detail.ref;
  const isPast = !detail.isHead;
  const { submit, isBusy, error } = useSubmit(async () => {
    if (made !== name) {
      await createBranch({ client, table }, { name, from: pinnedText(branch, version) });
      setMade(name);
    }
    await submitEdit(
      { client, table, branch: name, version, columns: detail.columns, isElsewhere: true },
      { ...request, isForced: true },
    );
    goTo(sameScreenOn(name));
    onDone();
  });
  return (
    <FormDialog
      onClose={onCancel}
      title={isPast ? `Version ${version} of ${branch} cannot change` : `${branch} is protected`}
      description={
        isPast
          ? 'Make a branch from this version: your change is made there, and you go on working on it.'
          : `${branch} only changes by a merge. Make a branch: your change is made there, and you go on working on it.`
      }
      size="s"
      action="Make a branch and continue"
      whyNot={name === '' ? 'Give the branch a name.' : problem}
      isBusy={isBusy}
      onSubmit={submit}
    >
      <TextField
        label="Name of the branch"
        name="name"
        value={name}
        onChange={setName}
        error={name === '' ? null : problem}
        autoFocus
      />
      <p className={styles.hint}>Then: {describeEdit(request.op, request.count)}</p>
      <ErrorNote
        error={error}
        title={
          made === name ? `${name} is there, but nothing was changed on it.` : 'The branch was not made.'
        }
      />
    </FormDialog>
  );
}
