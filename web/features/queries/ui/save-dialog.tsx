import { type FormEvent, useId, useState } from 'react';
import { isAppError } from '#shared/api/problem.ts';
import type { Visibility } from '#shared/api/queries.ts';
import { Button, Dialog, ErrorNote, Segmented, TextArea, TextField } from '../../../ui/index.ts';
import styles from './queries.module.css';

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
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const form = useId();
  const set = (change: Partial<QueryFacts>) => {
    setFacts({ ...facts, ...change });
    setError(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (facts.name.trim() === '' || isBusy) return;
    setBusy(true);
    try {
      await onSave({ ...facts, name: facts.name.trim() });
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  const isTaken = isAppError(error) && error.code === 'EXISTS';
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={about}
      size="s"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            form={form}
            isBusy={isBusy}
            whyNot={facts.name.trim() === '' && 'Give it a name first.'}
          >
            {action}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={(event) => void submit(event)}>
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
      </form>
    </Dialog>
  );
}
