import { AppError } from '../api/problem.ts';
import { mainBranch } from './ref.ts';

const maxNameLength = 200;

const badName = (kind: string, name: string, why: string, hint: string): AppError =>
  new AppError({ code: 'BAD_REQUEST', message: `“${name}” cannot name a ${kind}: ${why}.`, hint });

/** Throws BAD_REQUEST unless the name can stand for a table on every storage. */
export function assertTableName(name: string): void {
  const hint = 'Use letters, digits, “_”, “-” and “.”, not starting with “.”.';
  if (name === '') throw badName('table', name, 'it is empty', hint);
  if (name.length > maxNameLength)
    throw badName('table', name.slice(0, 40), 'it is longer than 200 characters', hint);
  if (name.startsWith('.')) throw badName('table', name, 'it begins with a dot', hint);
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) throw badName('table', name, 'it has other characters', hint);
  if (name.endsWith('.lance')) throw badName('table', name, 'it ends with “.lance”', hint);
}

const branchHint = 'Use letters, digits, “-”, “_”, “.” and “/”, for example fix-labels or ann/fix-labels.';

/** Throws BAD_REQUEST unless the name can stand for a branch that people make. */
export function assertBranchName(name: string): void {
  if (name === '') throw badName('branch', name, 'it is empty', branchHint);
  if (name.length > maxNameLength)
    throw badName('branch', name.slice(0, 40), 'it is longer than 200 characters', branchHint);
  if (name === mainBranch || name === 'tag')
    throw badName('branch', name, 'the name is reserved', branchHint);
  if (name.startsWith('curio-'))
    throw badName('branch', name, 'names that begin with “curio-” are reserved', branchHint);
  if (/[:@]/.test(name) || name.includes('..'))
    throw badName('branch', name, '“:”, “@” and “..” are not allowed', branchHint);
  if (!/^[\p{L}\p{N}_.-]+(\/[\p{L}\p{N}_.-]+)*$/u.test(name))
    throw badName('branch', name, 'it has other characters', branchHint);
  if (name.split('/').some((part) => part.startsWith('.') || part.endsWith('.lock')))
    throw badName('branch', name, 'a part begins with a dot or ends with .lock', branchHint);
  const taken = name.split('/').find((part, i) => i > 0 && foldersOfBranch.has(part));
  if (taken !== undefined)
    throw badName('branch', name, `“/${taken}” is a folder that every branch has`, branchHint);
}

/** Folders that Lance keeps in that of a branch; a branch below it must not be called like one. */
export const foldersOfBranch: ReadonlySet<string> = new Set([
  'data',
  '_versions',
  '_transactions',
  '_deletions',
  '_indices',
  '_refs',
  'tree',
]);

/** Throws BAD_REQUEST unless the name can stand for a Lance tag. */
export function assertTagName(name: string): void {
  const hint = 'Use ASCII letters, digits, “-”, “_” and “.”.';
  if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}$/.test(name) || name.includes('..') || name.endsWith('.lock'))
    throw badName('tag', name.slice(0, 40), 'it has characters that a tag cannot have', hint);
}

/** Column names that Lance or Curio keep for themselves, and one that objects of JavaScript lose. */
export const reservedColumns: ReadonlySet<string> = new Set([
  '_rowid',
  '_rowaddr',
  '_rowoffset',
  '_row_created_at_version',
  '_row_last_updated_at_version',
  '_distance',
  '_score',
  '_relevance_score',
  '__proto__',
  '_vector_rank',
  '_text_rank',
]);

/** The hidden unique int64 key of tables that Curio made without a declared key. */
export const hiddenKeyColumn = '_key';

/** Throws BAD_REQUEST unless the name can stand for a column that people add, beside those that are there. */
export function assertColumnName(name: string, taken: Iterable<string> = []): void {
  const hint = 'Choose another name, for example with “_” for what cannot stand.';
  if (name.trim() === '') throw badName('column', name, 'it is empty', hint);
  if (name.length > maxNameLength)
    throw badName('column', name.slice(0, 40), 'it is longer than 200 characters', hint);
  if (/[.`]/.test(name)) throw badName('column', name, '“.” and “`” are not allowed', hint);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name)) throw badName('column', name, 'it has control characters', hint);
  if (reservedColumns.has(name.toLowerCase()) || name.toLowerCase() === hiddenKeyColumn)
    throw badName('column', name, 'the name is reserved', hint);
  for (const other of taken) {
    if (other.toLowerCase() === name.toLowerCase())
      throw new AppError({
        code: 'EXISTS',
        message: `There is a column “${other}” already.`,
        hint: 'Choose another name; upper and lower case do not tell columns apart.',
      });
  }
}
