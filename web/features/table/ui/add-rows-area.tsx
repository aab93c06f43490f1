import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { useSession } from '../../../api/index.ts';
import { goTo, tablesPath } from '../../../state/addresses.ts';
import { acceptOf, fileProblem, mayHold, mediaColumns, wordOf } from '../../../state/column-files.ts';
import { useCommands } from '../../../state/commands.ts';
import { DropArea, usePaste } from '../../../ui/index.ts';
import styles from './add-rows-area.module.css';

const AddRowsDialog = lazy(() =>
  import('../../put-media/index.ts').then((module) => ({ default: module.AddRowsDialog })),
);

export interface AddRowsAreaProps {
  table: string;
  detail: TableDetail | undefined;
  children: ReactNode;
}

/** The rows of a table with media: files that are dropped or pasted here become new rows, others go on to an import. */
export function AddRowsArea({ table, detail, children }: AddRowsAreaProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<readonly File[]>([]);
  const tables = useSession().data?.tables;
  const [column] = mediaColumns(detail?.columns ?? []);
  const role = column?.role ?? 'blob';
  const word = wordOf(role);
  const hasPlace = detail !== undefined && column !== undefined;
  const take = (given: readonly File[]): boolean => {
    if (!hasPlace || given.length === 0) return false;
    setFiles(given);
    return true;
  };
  usePaste({
    onFiles: (given) => fileProblem(given.slice(0, 1), role) === null && take(given),
    isOff: !hasPlace,
  });
  useCommands([
    {
      id: 'table.addFiles',
      title: `Add ${word}s as new rows…`,
      group: 'Rows',
      whyNot: () => (hasPlace ? null : 'This table has no column for files'),
      run: () => picker.current?.click(),
    },
  ]);
  const close = () => setFiles([]);
  return (
    <DropArea
      label={`Drop to add rows to ${table}`}
      accepts={(transfer) => hasPlace && mayHold(transfer, role)}
      onFiles={take}
      className={styles.fill}
    >
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={acceptOf(role)}
        aria-label={`Add ${word}s as new rows`}
        onChange={(event) => {
          take(Array.from(event.target.files ?? []));
          event.target.value = '';
        }}
      />
      {children}
      {detail && files.length > 0 && (
        <Suspense fallback={null}>
          <AddRowsDialog
            table={table}
            detail={detail}
            files={files}
            onClose={close}
            onImport={() => {
              close();
              void importInstead(files, tables?.map(({ name }) => name) ?? []);
            }}
          />
        </Suspense>
      )}
    </DropArea>
  );
}

/** Opens the import with the files, where tables are made. */
async function importInstead(files: readonly File[], taken: readonly string[]): Promise<void> {
  const { openImport } = await import('../../import/index.ts');
  openImport(
    files.map((file) => ({ path: file.name, file })),
    taken,
  );
  goTo(tablesPath);
}
