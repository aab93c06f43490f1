import { useState } from 'react';
import { isAppError } from '#shared/api/problem.ts';
import type { Visibility } from '#shared/api/queries.ts';
import { ErrorNote, FormDialog, Segmented, TextArea, TextField, useSubmit } from '../../../ui/index.ts';

export interface QueryFacts {
  name: string;
  description: string;
  visibility: Visibility;
}

export interface SaveDialogProps {
  title: string;
  /** What the button says. */
  action: string;
  initial: QueryFacts;
  /** Says what is kept with it: refs, parameters. */
  about?: string;
  onSave: (facts: QueryFacts) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for name, description and who sees it; a name that is taken is told at the field. */
export function SaveDialog({ title, action, initial, about, onSave, onClose }: SaveDialogProps) {
  const [facts, setFacts] = useState(initial);
  const { submit, isBusy, error, clearError } = useSubmit(async () => {
    await onSave({ ...facts, name: facts.name.trim() });
    onClose();
  });
  const set = (change: Partial<QueryFacts>) => {
    setFacts({ ...facts, ...change });
    clearError();
  };
  const isTaken = isAppError(error) && error.code === 'EXISTS';
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={about}
      size="s"
      action={action}
      whyNot={facts.name.trim() === '' && 'Give it a name first.'}
      isBusy={isBusy}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        value={facts.name}
        onChange={(name) => set({ name })}
        maxLength={200}
        onFocus={(event) => event.currentTarget.select()}
        error={isTaken ? (error as Error).message : undefined}
      />
      <TextArea
        label="Description"
        value={facts.description}
        onChange={(description) => set({ description })}
        hint="What it shows, and for whom. It is found by the search as well."
        maxLength={10_000}
      />
      <Segmented<Visibility>
        label="Who sees it"
        value={facts.visibility}
        onChange={(visibility) => set({ visibility })}
        options={[
          { value: 'shared', label: 'Everybody' },
          { value: 'private', label: 'Only me' },
        ]}
      />
      {!isTaken && <ErrorNote error={error} />}
    </FormDialog>
  );
}
