import type { PickedFile } from './model.ts';

const isHidden = (name: string): boolean =>
  name.startsWith('.') || name === 'Thumbs.db' || name === '__MACOSX';

const readBatch = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject));

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

async function readEntry(entry: FileSystemEntry, prefix: string, found: PickedFile[]): Promise<void> {
  if (isHidden(entry.name)) return;
  const path = prefix + entry.name;
  if (entry.isFile) {
    found.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (let batch = await readBatch(reader); batch.length > 0; batch = await readBatch(reader)) {
    for (const child of batch) await readEntry(child, `${path}/`, found);
  }
}

/** The files of a drop, with everything in the folders among them; hidden files are left out. */
export async function readDrop(transfer: DataTransfer): Promise<PickedFile[]> {
  const entries = Array.from(transfer.items, (item) =>
    item.kind === 'file' ? item.webkitGetAsEntry?.() : null,
  );
  const files = Array.from(transfer.files);
  if (entries.every((entry) => !entry)) return files.map((file) => ({ path: file.name, file }));
  const found: PickedFile[] = [];
  for (const entry of entries) if (entry) await readEntry(entry, '', found);
  return found;
}

/** The files of a picker, with their place in the chosen folder. */
export const readPicked = (list: FileList): PickedFile[] =>
  Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file })).filter(
    ({ path }) => !path.split('/').some(isHidden),
  );
