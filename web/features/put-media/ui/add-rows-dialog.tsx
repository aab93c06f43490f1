import { FileIcon } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { fileProblem, mediaColumns, wordOf } from '../../../state/column-files.ts';
import { formatBytes, formatOf } from '../../../ui/format-quantity.ts';
import { Button, Dialog, ErrorNote, Note, ProgressBar, Select, Spacer } from '../../../ui/index.ts';
import { useEditing } from '../../edit/index.ts';
import { factsOf, missingColumns, planKey } from '../model/plan-rows.ts';
import { readFile } from '../model/read-files.ts';
import { useNewKeys } from '../queries.ts';
import styles from './put-media.module.css';

export interface AddRowsDialogProps {
  table: string;
  detail: TableDetail;
  files: readonly File[];
  onClose: () => void;
  /** The files are wanted as a table of their own. */
  onImport: () => void;
}

/** New rows from files, one each: what they will be called, and one edit that adds them. */
export function AddRowsDialog({ table, detail, files, onClose, onImport }: AddRowsDialogProps) {
  const columns = mediaColumns(detail.columns);
  const [column, setColumn] = useState(columns[0]?.name ?? '');
  const role = columns.find(({ name }) => name === column)?.role ?? 'blob';
  const plan = useMemo(() => planKey(detail), [detail]);
  const keys = useNewKeys({ table, detail, plan, files });
  const editing = useEditing(table, detail);
  const [read, setRead] = useState<number | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const given = [
    column,
    ...('column' in plan ? [plan.column] : []),
    ...Object.keys(factsOf(files[0]!, detail.columns)),
  ];
  const missing = missingColumns(detail, given);
  const problem =
    (plan.kind === 'impossible' ? plan.why : fileProblem(files, role)) ??
    (missing.length > 0
      ? `${missing.join(', ')} cannot be empty, and files do not say what it is. Import them as a table instead.`
      : null);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const word = wordOf(role);
  const add = async () => {
    setFailure(null);
    try {
      const rows: Record<string, unknown>[] = [];
      for (const [at, file] of files.entries()) {
        setRead(at);
        const key = 'column' in plan && keys.data ? { [plan.column]: keys.data[at] } : {};
        rows.push({ ...factsOf(file, detail.columns), ...key, [column]: await readFile(file) });
      }
      setRead(files.length);
      if (await editing.submit({ op: { op: 'insert', rows }, count: files.length })) onClose();
    } catch (error) {
      setFailure(error);
    } finally {
      setRead(null);
    }
  };
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        title={`Add ${formatOf(files.length, word)} to ${table}`}
        description={`As ${formatOf(files.length, 'new row')} on ${detail.ref.branch}, in one step that can be undone. ${formatBytes(total)} together.`}
        actions={
          <>
            <Button look="quiet" onClick={onImport}>
              Import as a table instead
            </Button>
            <Spacer />
            <Button onClick={onClose}>Cancel</Button>
            <Button
              look="primary"
              isBusy={read !== null || editing.isBusy}
              whyNot={
                problem ??
                (keys.isPending ? 'Keys are being looked for' : keys.error ? 'No keys were found' : null)
              }
              onClick={() => void add()}
            >
              Add {formatOf(files.length, 'row')}
            </Button>
          </>
        }
      >
        <div className={styles.fields}>
          {columns.length > 1 && (
            <Select
              label="Into the column"
              value={column}
              onChange={setColumn}
              options={columns.map(({ name }) => ({ value: name, label: name }))}
            />
          )}
          <ul className={styles.tiles} aria-label="Files">
            {files.map((file, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: files may have one name
              <li key={at} className={styles.tile} title={`${file.name}, ${formatBytes(file.size)}`}>
                <Preview file={file} />
                <span className={styles.tileName}>{keys.data?.[at] ?? file.name}</span>
              </li>
            ))}
          </ul>
          {'column' in plan && (
            <p className={styles.faint}>
              {plan.kind === 'name'
                ? `${plan.column}, the key, is the name of the file; the other columns stay empty.`
                : `${plan.column}, the key, counts on from the largest; the other columns stay empty.`}
            </p>
          )}
          {problem && <Note tone="warn">{problem}</Note>}
          <ErrorNote
            error={keys.error}
            title="No keys could be found for the rows."
            onRetry={() => void keys.refetch()}
          />
          <ErrorNote error={failure} title="Nothing was added." />
          {editing.problem}
          {read !== null && (
            <ProgressBar
              label={`Adding ${formatOf(files.length, word)}`}
              done={read}
              total={read < files.length ? files.length : null}
              detail={
                read < files.length
                  ? `Reading ${read + 1} of ${files.length}`
                  : `Writing ${formatBytes(total)}`
              }
            />
          )}
        </div>
      </Dialog>
      {editing.dialog}
    </>
  );
}

function Preview({ file }: { file: File }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file.type.startsWith('image/') || file.type.includes('svg')) return;
    const url = URL.createObjectURL(file);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return address ? (
    <img src={address} alt={file.name} />
  ) : (
    <span className={styles.tileFile}>
      <FileIcon size={20} aria-hidden />
    </span>
  );
}
