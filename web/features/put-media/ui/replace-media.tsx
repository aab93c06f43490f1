import { ImageUp } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { acceptOf, fileProblem, mayHold, mediaColumns, wordOf } from '../../../state/column-files.ts';
import { formatBytes } from '../../../ui/format-quantity.ts';
import { Button, DropArea, IconButton, Note, ProgressBar, usePaste } from '../../../ui/index.ts';
import { setCell, useEditing } from '../../edit/index.ts';
import { readFile } from '../model/read-files.ts';
import styles from './put-media.module.css';

export interface ReplaceMediaProps {
  table: string;
  detail: TableDetail;
  rowId: string;
  /** The media column. */
  column: string;
  /** The cell is empty, so there is something to add rather than to replace. */
  isEmpty?: boolean;
  /** It is the one of several that takes what is pasted. */
  hearsPaste?: boolean;
  className?: string;
  /** The picture as it is; gets the button that chooses another file. */
  children: (button: ReactNode) => ReactNode;
}

/** A media cell that takes a dropped, pasted or chosen file: one edit on the branch, which can be undone. */
export function ReplaceMedia({
  table,
  detail,
  rowId,
  column,
  isEmpty,
  hearsPaste,
  className,
  children,
}: ReplaceMediaProps) {
  const picker = useRef<HTMLInputElement>(null);
  const editing = useEditing(table, detail);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const info = mediaColumns(detail.columns).find(({ name }) => name === column);
  const role = info?.role ?? 'blob';
  const word = wordOf(role);
  const put = (files: File[]): boolean => {
    const [file] = files;
    if (!file || busy !== null) return false;
    const fault =
      files.length > 1 ? `One ${word} fits here; ${files.length} were given.` : fileProblem(files, role);
    setProblem(fault);
    if (fault === null) void write(file);
    return true;
  };
  const write = async (file: File) => {
    setBusy(`Writing ${file.name}, ${formatBytes(file.size)}`);
    try {
      const value = await readFile(file);
      await editing.submit({ op: setCell(rowId, column, value), count: 1 });
    } catch {
      setProblem(`${file.name} cannot be read.`);
    } finally {
      setBusy(null);
    }
  };
  usePaste({ onFiles: put, isFirst: true, isOff: !hearsPaste || !info });
  const label = isEmpty ? `Add a ${word} to ${column}…` : `Replace the ${word}…`;
  const choose = () => picker.current?.click();
  const button = isEmpty ? (
    <Button size="s" look="quiet" icon={<ImageUp />} tip="Or drop or paste one here" onClick={choose}>
      {label}
    </Button>
  ) : (
    <IconButton
      label={label}
      tip={`Replace the ${word}: choose one, or drop or paste it here`}
      size="s"
      icon={<ImageUp />}
      isBusy={busy !== null}
      onClick={choose}
    />
  );
  if (!info) return children(null);
  return (
    <DropArea
      className={className}
      label={isEmpty ? `Drop to add it to ${column}` : `Drop to replace ${column}`}
      accepts={(transfer) => mayHold(transfer, role) && transfer.items.length === 1}
      onFiles={put}
    >
      <input
        ref={picker}
        type="file"
        hidden
        accept={acceptOf(role)}
        aria-label={label}
        onChange={(event) => {
          put(Array.from(event.target.files ?? []));
          event.target.value = '';
        }}
      />
      {children(button)}
      {busy !== null && <ProgressBar label={busy} done={0} total={null} className={styles.progress} />}
      {problem && (
        <div className={styles.note}>
          <Note tone="warn">{problem}</Note>
        </div>
      )}
      {editing.problem}
      {editing.dialog}
    </DropArea>
  );
}
