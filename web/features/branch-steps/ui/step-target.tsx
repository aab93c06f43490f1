import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { BranchInfo } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { type BranchStep, closeBranchStep } from '../../../state/branch-steps.ts';
import { Button, ErrorNote, Field, Note, Select, TextField, useSubmit } from '../../../ui/index.ts';
import { branchNameProblem, createBranch } from '../../branches/index.ts';
import styles from './step-dialog.module.css';

export interface StepTargetProps {
  step: BranchStep;
  wanted: string;
  branch: string | null;
  branches: readonly BranchInfo[];
  /** `null`: a new one. */
  onBranch: (branch: string | null) => void;
}

/** No branch is called so. */
const newBranch = ':new';

/** The name, or the first of its kind that no branch has. */
function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let count = 2; taken.includes(free); count++) free = `${name}-${count}`;
  return free;
}

/** Which branch changes: one of those that may, or a new one where a protected one was meant. */
export function StepTarget({ step, wanted, branch, branches, onBranch }: StepTargetProps) {
  const client = useQueryClient();
  const open = branches.filter(
    ({ name, isProtected }) => !isProtected && !(step.kind === 'cherry-pick' && step.from === name),
  );
  const isProtected = branches.find((one) => one.name === wanted)?.isProtected ?? false;
  const origin = isProtected ? wanted : mainBranch;
  const [name, setName] = useState(() =>
    freeName(
      `${step.kind === 'cherry-pick' ? 'pick' : step.kind}-on-${origin}`,
      branches.map((one) => one.name),
    ),
  );
  const problem = branchNameProblem(
    name,
    branches.map((one) => one.name),
  );
  const { submit, isBusy, error } = useSubmit(async () => {
    await createBranch({ client, table: step.table }, { name, from: origin });
    onBranch(name);
  });
  const make = (event: FormEvent) => {
    event.preventDefault();
    if (!problem && !isBusy) submit();
  };
  return (
    <div className={styles.form}>
      {step.kind === 'cherry-pick' && (
        <Field label="Onto">
          <Select
            label="Onto"
            value={branch ?? newBranch}
            onChange={(next) => onBranch(next === newBranch ? null : next)}
            options={[
              { value: newBranch, label: `A new branch from ${origin}` },
              ...open.map((one) => ({ value: one.name, label: one.name })),
            ]}
          />
        </Field>
      )}
      {branch === null && (
        <form className={styles.form} onSubmit={make}>
          <Note>
            {step.kind === 'cherry-pick' && !isProtected
              ? `The changes come onto a new branch from ${origin}, which you can look at and merge.`
              : `${wanted} is protected and changes by merges only. This is done on a new branch from it, which you then merge.`}
          </Note>
          <TextField
            label="Name of the new branch"
            value={name}
            onChange={setName}
            error={problem}
            autoFocus
          />
          <ErrorNote error={error} title="The branch was not made." />
          <div className={styles.buttons}>
            <Button onClick={closeBranchStep}>Cancel</Button>
            <Button look="primary" type="submit" whyNot={problem} isBusy={isBusy}>
              Make the branch and go on
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}
