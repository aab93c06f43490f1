import { FileUp, FolderUp, X } from 'lucide-react';
import { type FormEvent, useId, useRef } from 'react';
import { useSession } from '../../../api/index.ts';
import { formatBytes, formatOf } from '../../../ui/format-quantity.ts';
import {
  Button,
  Dialog,
  ErrorNote,
  IconButton,
  ProgressBar,
  Segmented,
  TextArea,
  TextField,
} from '../../../ui/index.ts';
import { checkDraft, totalBytes } from '../model.ts';
import { readPicked } from '../read-drop.ts';
import { startImport } from '../start-import.ts';
import { changeDraft, closeImport, useImportStore } from '../store.ts';
import styles from './import-dialog.module.css';
import { ImportOptionFields } from './import-option-fields.tsx';

const shownFiles = 6;

/** Says what is to become a table: files, a folder, or what lies on the server. */
export function ImportDialog() {
  const isOpen = useImportStore((state) => state.isOpen);
  if (!isOpen) return null;
  return <OpenImportDialog />;
}

function OpenImportDialog() {
  const draft = useImportStore((state) => state.draft);
  const error = useImportStore((state) => state.error);
  const upload = useImportStore((state) => state.uploads.find((one) => one.name === state.draft.name));
  const formId = useId();
  const taken = (useSession().data?.tables ?? []).map(({ name }) => name);
  const problems = checkDraft(draft, taken);
  const whyNot = problems.sources ?? problems.name ?? problems.delimiter;
  const change = (patch: Parameters<typeof changeDraft>[0]) => changeDraft(patch, taken);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!whyNot && !upload) void startImport(draft);
  };
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && closeImport()}
      title="Import"
      description="Parquet, CSV, JSON lines, Arrow, or a folder of pictures, videos or sounds becomes a table."
      actions={
        <>
          {upload ? (
            <>
              <Button onClick={upload.abort}>Cancel the upload</Button>
              <Button onClick={closeImport}>Go on in the background</Button>
            </>
          ) : (
            <Button onClick={closeImport}>Cancel</Button>
          )}
          <Button look="primary" type="submit" form={formId} whyNot={whyNot} isBusy={Boolean(upload)}>
            Import
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit}>
        <Segmented
          label="Where the data is"
          value={draft.origin}
          onChange={(origin) => change({ origin })}
          options={[
            { value: 'files', label: 'On this computer' },
            { value: 'server', label: 'On the server or an address' },
          ]}
        />
        {draft.origin === 'files' ? (
          <FilePicker />
        ) : (
          <TextArea
            label="Path on the server"
            value={draft.serverPaths}
            onChange={(serverPaths) => change({ serverPaths })}
            placeholder={'/data/clips/*.parquet\nhttps://…'}
            hint="A file, a folder, a glob or an address; one a line. They become one table."
            isMono
            autoFocus
          />
        )}
        <div className={styles.pair}>
          <TextField
            label="Name"
            name="name"
            value={draft.name}
            onChange={(name) => change({ name })}
            error={draft.name !== '' ? problems.name : null}
            placeholder="clips"
          />
          <TextField
            label="Key column (optional)"
            name="key"
            value={draft.key}
            onChange={(key) => change({ key })}
            placeholder="id"
            hint="Tells which row is which when versions are compared. Several are parted by commas; without one, rows are numbered."
          />
        </div>
        <ImportOptionFields draft={draft} onChange={change} delimiterProblem={problems.delimiter} />
        {upload && (
          <ProgressBar
            label={`Uploading ${upload.name}`}
            done={upload.sentBytes}
            total={upload.totalBytes}
            detail={`${formatBytes(upload.sentBytes)} of ${formatBytes(upload.totalBytes)}`}
          />
        )}
        <ErrorNote error={error} title="The import did not start." />
      </form>
    </Dialog>
  );
}

function FilePicker() {
  const files = useImportStore((state) => state.draft.files);
  const taken = (useSession().data?.tables ?? []).map(({ name }) => name);
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const take = (list: FileList | null) => {
    if (list && list.length > 0) changeDraft({ files: readPicked(list) }, taken);
  };
  return (
    <div className={styles.picker}>
      <input
        ref={fileInput}
        type="file"
        multiple
        className="visually-hidden"
        aria-label="Files"
        tabIndex={-1}
        onChange={(event) => take(event.target.files)}
      />
      <input
        ref={folderInput}
        type="file"
        webkitdirectory=""
        className="visually-hidden"
        aria-label="Folder"
        tabIndex={-1}
        onChange={(event) => take(event.target.files)}
      />
      {files.length === 0 ? (
        <p className={styles.hint}>Drop files or a folder anywhere on this page, or choose them.</p>
      ) : (
        <ul className={styles.files} aria-label="Chosen files">
          {files.slice(0, shownFiles).map((picked) => (
            <li key={picked.path} className={styles.file}>
              <span className={styles.path} title={picked.path}>
                {picked.path}
              </span>
              <span className={styles.size}>{formatBytes(picked.file.size)}</span>
              <IconButton
                label={`Leave out ${picked.path}`}
                size="s"
                icon={<X />}
                onClick={() => changeDraft({ files: files.filter((one) => one !== picked) }, taken)}
              />
            </li>
          ))}
          <li className={styles.sum}>
            {files.length > shownFiles && `and ${formatOf(files.length - shownFiles, 'more', 'more')} · `}
            {formatOf(files.length, 'file')}, {formatBytes(totalBytes(files))}
          </li>
        </ul>
      )}
      <div className={styles.buttons}>
        <Button size="s" icon={<FileUp />} autoFocus onClick={() => fileInput.current?.click()}>
          Choose files…
        </Button>
        <Button size="s" icon={<FolderUp />} onClick={() => folderInput.current?.click()}>
          Choose a folder…
        </Button>
      </div>
    </div>
  );
}
