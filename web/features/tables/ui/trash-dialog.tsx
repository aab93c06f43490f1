import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatAgo, formatMoment } from '../../../ui/format-quantity.ts';
import { Button, Dialog, EmptyState, ErrorNote, Skeleton, showToast } from '../../../ui/index.ts';
import { purgeTable, restoreTable, useTrash } from '../queries.ts';
import styles from './trash-dialog.module.css';

/** Deleted tables: to take back, or to delete for good, which asks. */
export function TrashDialog({ onClose }: { onClose: () => void }) {
  const { data: tables, isPending, error, refetch } = useTrash();
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Trash"
      description="Deleted tables stay here, whole, until you delete them for good."
    >
      <ErrorNote error={error} title="The trash cannot be shown." onRetry={() => void refetch()} />
      {isPending && <Skeleton height={40} />}
      {tables?.length === 0 && (
        <EmptyState icon={<Trash2 />} title="The trash is empty" className={styles.empty} />
      )}
      <ul aria-label="Tables in the trash">
        {tables?.map((table) => (
          <TrashItem key={table.name} {...table} />
        ))}
      </ul>
    </Dialog>
  );
}

function TrashItem({ name, deletedAt }: { name: string; deletedAt: string }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (work: () => Promise<void>, done: string) => {
    setBusy(true);
    setError(null);
    try {
      await work();
      showToast(done);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <li className={styles.item} aria-label={name}>
      <div className={styles.line}>
        <span className={styles.name}>{name}</span>
        <span className={styles.when} title={formatMoment(deletedAt)}>
          deleted {formatAgo(deletedAt)}
        </span>
        <Button
          size="s"
          isBusy={isBusy}
          onClick={() => void run(() => restoreTable(client, name), `${name} is back`)}
        >
          Restore
        </Button>
        <Button size="s" look="danger" isDisabled={isAsking} onClick={() => setAsking(true)}>
          Delete for good…
        </Button>
      </div>
      {isAsking && (
        <div className={styles.ask} role="alertdialog" aria-label={`Delete ${name} for good`}>
          <p>
            All rows and media of <strong>{name}</strong>, with every branch, tag and version, will be gone
            from the disk. This cannot be undone.
          </p>
          <div className={styles.buttons}>
            <Button size="s" onClick={() => setAsking(false)} autoFocus>
              Keep it
            </Button>
            <Button
              size="s"
              look="danger"
              isBusy={isBusy}
              onClick={() => void run(() => purgeTable(client, name), `${name} was deleted for good`)}
            >
              Delete {name} for good
            </Button>
          </div>
        </div>
      )}
      <ErrorNote error={error} />
    </li>
  );
}
