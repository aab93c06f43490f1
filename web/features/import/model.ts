import type { ImportBody, ImportOptions } from '#shared/api/jobs.ts';
import { isAppError } from '#shared/api/problem.ts';
import { assertTableName } from '#shared/domain/names.ts';

/** A file to send, with its place below the folder that was chosen. */
export interface PickedFile {
  path: string;
  file: File;
}

export type ImportFormat = NonNullable<ImportOptions['format']> | 'auto';

/** What the dialog holds: everything as it was typed. */
export interface ImportDraft {
  origin: 'files' | 'server';
  files: PickedFile[];
  /** Paths, globs or addresses, one a line. */
  serverPaths: string;
  name: string;
  /** The name follows the files until a person types one. */
  isNameTyped: boolean;
  /** Column names, parted by commas. */
  key: string;
  format: ImportFormat;
  delimiter: string;
  hasHeader: boolean;
  metadata: string;
}

export const emptyDraft: ImportDraft = {
  origin: 'files',
  files: [],
  serverPaths: '',
  name: '',
  isNameTyped: false,
  key: '',
  format: 'auto',
  delimiter: '',
  hasHeader: true,
  metadata: '',
};

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const lastPart = (path: string): string =>
  path
    .replace(/[\\/]+$/, '')
    .split(/[\\/]/)
    .at(-1) ?? '';

/** What the sources call themselves: their common folder, or the first file. */
function sourceName({ origin, files, serverPaths }: ImportDraft): string {
  if (origin === 'server') {
    const first = (lines(serverPaths)[0] ?? '').replace(/[?#].*$/, '');
    const hasGlob = /[*{]/.test(lastPart(first));
    return lastPart(hasGlob ? first.replace(/[\\/][^\\/]*[*{].*$/, '') : first);
  }
  const first = files[0]?.path ?? '';
  return first.includes('/') ? (first.split('/')[0] ?? '') : first;
}

/** A name that can stand, made from the sources, and free among the taken ones. */
export function suggestTableName(draft: ImportDraft, taken: readonly string[]): string {
  const stem = sourceName(draft)
    .replace(/\.(gz|zst|bz2)$/i, '')
    .replace(/(\.(lance|parquet|csv|tsv|jsonl?|ndjson|arrows?|feather|ipc|txt))+$/i, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^[._-]+|[._-]+$/g, '')
    .slice(0, 100);
  if (stem === '') return '';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? stem : `${stem}_${count}`;
    if (!taken.includes(name)) return name;
  }
}

/** Changes the draft; the name follows the sources as long as nobody typed one. */
export function planDraft(
  draft: ImportDraft,
  patch: Partial<ImportDraft>,
  taken: readonly string[],
): ImportDraft {
  const next = { ...draft, ...patch };
  if (patch.name !== undefined) return { ...next, isNameTyped: patch.name !== '' };
  return next.isNameTyped ? next : { ...next, name: suggestTableName(next, taken) };
}

export const totalBytes = (files: readonly PickedFile[]): number =>
  files.reduce((sum, { file }) => sum + file.size, 0);

const tabular = /\.(parquet|csv|tsv|jsonl?|ndjson|arrow|arrows|feather|ipc|txt)(\.(gz|zst|bz2))?$/i;

/** Which options make sense for the chosen sources. */
export function optionsFor(draft: ImportDraft): { isText: boolean; isFolder: boolean } {
  const paths = draft.origin === 'files' ? draft.files.map(({ path }) => path) : lines(draft.serverPaths);
  const isText =
    draft.format === 'csv' ||
    draft.format === 'tsv' ||
    (draft.format === 'auto' && paths.some((path) => /\.(csv|tsv|txt)(\.\w+)?$/i.test(path)));
  const isFolder =
    draft.format === 'folder' ||
    (draft.format === 'auto' && paths.length > 0 && paths.some((path) => !tabular.test(path)));
  return { isText, isFolder };
}

export interface DraftProblems {
  name: string | null;
  sources: string | null;
  delimiter: string | null;
}

/** What keeps the draft from being imported, by field; all `null` when nothing does. */
export function checkDraft(draft: ImportDraft, taken: readonly string[]): DraftProblems {
  const sources = draft.origin === 'files' ? draft.files.length : lines(draft.serverPaths).length;
  return {
    name: nameProblem(draft.name, taken),
    sources:
      sources > 0
        ? null
        : draft.origin === 'files'
          ? 'Choose files or a folder.'
          : 'Name a file, a folder or an address.',
    delimiter:
      draft.delimiter === '' || draft.delimiter === '\\t' || draft.delimiter.length === 1
        ? null
        : 'A delimiter is one character.',
  };
}

function nameProblem(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'Give the table a name.';
  if (taken.includes(name)) return `There is a table “${name}” already.`;
  try {
    assertTableName(name);
    return null;
  } catch (error) {
    return isAppError(error) ? [error.message, error.hint].filter(Boolean).join(' ') : String(error);
  }
}

/** The facts of an import, without its sources. */
export function toImportFacts(draft: ImportDraft): Omit<ImportBody, 'sources'> {
  const { isText, isFolder } = optionsFor(draft);
  const key = listOf(draft.key);
  const delimiter = draft.delimiter === '\\t' ? '\t' : draft.delimiter;
  const options: ImportOptions = {
    ...(draft.format === 'auto' ? {} : { format: draft.format }),
    ...(isText && delimiter !== '' ? { delimiter } : {}),
    ...(isText && !draft.hasHeader ? { hasHeader: false } : {}),
    ...(isFolder && draft.metadata.trim() !== '' ? { metadata: draft.metadata.trim() } : {}),
  };
  return {
    name: draft.name,
    ...(key.length === 0 ? {} : { key: key.length === 1 ? key[0]! : key }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}

const isAddress = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !text.startsWith('file:');

/** The body of an import of what lies on the server or at an address. */
export const toImportBody = (draft: ImportDraft): ImportBody => ({
  ...toImportFacts(draft),
  sources: lines(draft.serverPaths).map((text) => (isAddress(text) ? { url: text } : { path: text })),
});
