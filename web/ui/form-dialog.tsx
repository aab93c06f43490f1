import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import styles from './form-dialog.module.css';

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'description' | 'size'> {
  isOpen?: boolean;
  onClose: () => void;
  /** What the button that sends the form says. */
  action: ReactNode;
  /** Why the form cannot be sent yet; the button tells. */
  whyNot?: string | null | false;
  isBusy: boolean;
  onSubmit: () => void;
  children: ReactNode;
  /** What stands beside the form and is no part of it: a dialog that it opens. */
  beside?: ReactNode;
}

/** A dialog with a form in it: Cancel, and the one button that sends it, by Enter as well. */
export function FormDialog(props: FormDialogProps) {
  const { isOpen = true, onClose, action, whyNot, isBusy, onSubmit, children, beside } = props;
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!whyNot && !isBusy) onSubmit();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => !next && onClose()}
      title={props.title}
      description={props.description}
      {...(props.size ? { size: props.size } : {})}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={id} whyNot={whyNot} isBusy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={submit}>
        {children}
      </form>
      {beside}
    </Dialog>
  );
}

/** Runs what a form asks for, one at a time, and keeps what went wrong until the next try. */
export function useSubmit(run: () => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      await run();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, submit: () => void submit(), clearError: () => setError(null) };
}
