import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BranchInfo, TagInfo } from '#shared/api/tables.ts';
import { ErrorNote, Field, FormDialog, Select, showToast, TextField, useSubmit } from '../../../ui/index.ts';
import { createBranch, createTag } from '../actions.ts';
import { branchNameProblem, describeRef, listRefOptions, readRef, tagNameProblem } from '../model.ts';
import { closeBranchDialog, useBranchDialog } from '../store.ts';
import { ManageDialog } from './manage-dialog.tsx';

export interface BranchDialogsProps {
  table: string;
  branches: readonly BranchInfo[];
  tags: readonly TagInfo[];
  refText: string;
  onRefChange: (ref: string) => void;
}

/** The dialogs that the bar, the list and the commands open. */
export function BranchDialogs(props: BranchDialogsProps) {
  const dialog = useBranchDialog();
  if (!dialog || dialog.table !== props.table) return null;
  switch (dialog.kind) {
    case 'newBranch':
      return <NewBranchDialog {...props} from={dialog.from} initialName={dialog.name ?? ''} />;
    case 'newTag':
      return <NewTagDialog {...props} taggedRef={dialog.ref} />;
    case 'manage':
      return <ManageDialog {...props} />;
  }
}

interface NewBranchDialogProps extends BranchDialogsProps {
  from: string;
  initialName: string;
}

function NewBranchDialog({
  table,
  branches,
  tags,
  from: initialFrom,
  initialName,
  onRefChange,
}: NewBranchDialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState(initialName);
  const [from, setFrom] = useState(initialFrom);
  const problem = branchNameProblem(
    name,
    branches.map((branch) => branch.name),
  );
  const { submit, isBusy, error } = useSubmit(async () => {
    await createBranch({ client, table }, { name, from });
    closeBranchDialog();
    onRefChange(name);
    showToast(
      `On branch ${name}: what you change here stays off ${describeRef(readRef(from))} until it is merged`,
    );
  });
  return (
    <FormDialog
      onClose={closeBranchDialog}
      title="New branch"
      description="A place of your own for changes. It costs nothing: rows and media are shared until they change."
      size="s"
      action="Create branch"
      whyNot={name === '' ? 'Give the branch a name.' : problem}
      isBusy={isBusy}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        placeholder="fix-glosses"
        error={name === '' ? null : problem}
        autoFocus
      />
      <Field label="From">
        <Select
          label="From"
          value={from}
          onChange={setFrom}
          options={listRefOptions({ branches, tags, refText: initialFrom }).map(
            ({ value, label, group }) => ({
              value,
              label,
              ...(group === 'Tags' ? { hint: 'tag' } : {}),
            }),
          )}
        />
      </Field>
      <ErrorNote error={error} title="The branch was not made." />
    </FormDialog>
  );
}

function NewTagDialog({ table, tags, taggedRef }: BranchDialogsProps & { taggedRef: string }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [message, setMessage] = useState('');
  const problem = tagNameProblem(
    name,
    tags.map((tag) => tag.name),
  );
  const { submit, isBusy, error } = useSubmit(async () => {
    const tag = await createTag(
      { client, table },
      { name, ref: taggedRef, ...(message === '' ? {} : { message }) },
    );
    closeBranchDialog();
    showToast(`Tagged version ${tag.version} of ${tag.branch} as ${tag.name}`);
  });
  return (
    <FormDialog
      onClose={closeBranchDialog}
      title="New tag"
      description={`Names ${describeRef(readRef(taggedRef))} as it is now, for good: links to the tag always show these rows.`}
      size="s"
      action="Create tag"
      whyNot={name === '' ? 'Give the tag a name.' : problem}
      isBusy={isBusy}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        placeholder="golden"
        error={name === '' ? null : problem}
        autoFocus
      />
      <TextField
        label="Message (optional)"
        value={message}
        onChange={setMessage}
        placeholder="What the first model was trained on"
      />
      <ErrorNote error={error} title="The tag was not made." />
    </FormDialog>
  );
}
