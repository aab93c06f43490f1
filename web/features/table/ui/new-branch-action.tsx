import { useQueryClient } from '@tanstack/react-query';
import { GitBranchPlus } from 'lucide-react';
import { useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { callJson, refreshHeads } from '../../../api/index.ts';
import type { RowSelection } from '../../../state/selection.ts';
import { Button, ErrorNote, FormDialog, showToast, TextField, useSubmit } from '../../../ui/index.ts';
import { branchNameProblem, createBranch } from '../../branches/index.ts';
import { planOthers } from '../model/plan-selection.ts';

export interface NewBranchActionProps {
  table: string;
  detail: TableDetail;
  selection: RowSelection;
  where: string | undefined;
  onSwitch: (refText: string) => void;
}

/** Makes a branch that holds only the selected rows. */
export function NewBranchAction({ table, detail, selection, where, onSwitch }: NewBranchActionProps) {
  const client = useQueryClient();
  const [name, setName] = useState<string | null>(null);
  const others = planOthers(selection, where);
  const problem = name
    ? branchNameProblem(
        name,
        detail.branches.map((branch) => branch.name),
      )
    : null;
  const { submit, isBusy, error } = useSubmit(async () => {
    if (!name || !others) return;
    await createBranch({ client, table }, { name, from: formatRef(detail.ref) });
    await callJson('edit', {
      params: { table },
      body: {
        branch: name,
        message: 'Keep the selected rows only',
        ops: [{ op: 'delete', rows: { where: others } }],
      },
    });
    await refreshHeads(client, table);
    showToast(`${name} holds the selected rows`);
    setName(null);
    onSwitch(name);
  });
  return (
    <>
      <Button
        size="s"
        icon={<GitBranchPlus />}
        whyNot={others ? null : 'All rows are selected: make a plain branch'}
        onClick={() => setName('')}
      >
        New branch with these…
      </Button>
      <FormDialog
        isOpen={name !== null}
        onClose={() => setName(null)}
        title="New branch with these rows"
        description={`It starts from ${formatRef(detail.ref)}; all other rows are deleted on it. ${detail.ref.branch} stays as it is.`}
        size="s"
        action="Make branch"
        whyNot={!name ? 'It needs a name' : problem}
        isBusy={isBusy}
        onSubmit={submit}
      >
        <TextField label="Name" value={name ?? ''} onChange={setName} error={problem} placeholder="subset" />
        <ErrorNote error={error} />
      </FormDialog>
    </>
  );
}
