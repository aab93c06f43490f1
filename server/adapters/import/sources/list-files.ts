import type { Dirent, Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { AppError } from '#shared/api/problem.ts';

/** A file of an import. */
export interface FoundFile {
  path: string;
  /** Below the folder that was named, with `/`; the bare name of a file that was named itself. */
  relative: string;
  /** What messages call it. */
  label: string;
  sizeBytes: number;
}

export interface FoundFiles {
  files: FoundFile[];
  /** The folders that were named, to find metadata files in. */
  folders: string[];
  notices: string[];
}

const hiddenNames = new Set(['Thumbs.db', 'desktop.ini', '__MACOSX']);
const isHidden = (name: string): boolean => name.startsWith('.') || hiddenNames.has(name);

/** As people count: `page2` before `page10`. */
const byName = new Intl.Collator('en', { numeric: true }).compare;
const maxFiles = 5_000_000;

const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

async function statOf(path: string, label: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === 'EACCES' || code === 'EPERM')
      throw new AppError({
        code: 'INVALID_FILE',
        message: `${label}: Curio may not read it.`,
        hint: 'Look at the rights of the file.',
        cause: error,
      });
    throw new AppError({
      code: 'NOT_FOUND',
      message: `${label} does not exist on the server.`,
      hint: 'Paths are looked up on the machine where Curio runs.',
      cause: error,
    });
  }
}

interface Walk {
  root: string;
  label: string;
  seen: Set<string>;
  found: FoundFile[];
  outside: string[];
  signal: AbortSignal;
}

async function walkFolder(folder: string, walk: Walk): Promise<void> {
  walk.signal.throwIfAborted();
  const entries = await readFolder(folder, walk);
  for (const entry of entries.sort((a, b) => byName(a.name, b.name))) {
    if (isHidden(entry.name)) continue;
    const path = join(folder, entry.name);
    const name = relative(walk.root, path).split(sep).join('/');
    if (entry.isSymbolicLink()) {
      const target = await realpath(path).catch(() => null);
      if (target === null || !isInside(target, walk.root)) {
        walk.outside.push(name);
        continue;
      }
    }
    const facts = await stat(path).catch(() => null);
    if (facts?.isDirectory()) await enterFolder(path, walk);
    else if (facts?.isFile())
      walk.found.push({
        path,
        relative: name,
        label: walk.label === '' ? name : `${walk.label}/${name}`,
        sizeBytes: facts.size,
      });
    if (walk.found.length > maxFiles)
      throw new AppError({
        code: 'INVALID_FILE',
        message: `${walk.label} has more than ${maxFiles.toLocaleString('en')} files.`,
        hint: 'Import a part of it.',
      });
  }
}

async function readFolder(folder: string, { root, label }: Walk): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const name = [label, relative(root, folder).split(sep).join('/')].filter((part) => part !== '').join('/');
    throw new AppError({
      code: 'INVALID_FILE',
      message: `${name}: Curio may not read the folder.`,
      hint: 'Look at the rights of the folder, or leave it out.',
      cause: error,
    });
  }
}

/** Links may lead to a folder twice, or around in a circle; each is entered once. */
async function enterFolder(folder: string, walk: Walk): Promise<void> {
  const real = await realpath(folder);
  if (walk.seen.has(real)) return;
  walk.seen.add(real);
  await walkFolder(folder, walk);
}

export const nameSome = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

/**
 * Every file of the sources, folders walked in the order of their names. Hidden files are left out, and links that lead
 * out of their folder. Throws NOT_FOUND or INVALID_FILE naming the source.
 */
export async function listFiles(
  sources: readonly { path: string; label: string }[],
  signal: AbortSignal,
): Promise<FoundFiles> {
  const result: FoundFiles = { files: [], folders: [], notices: [] };
  const named: FoundFile[] = [];
  for (const { path, label } of sources) {
    const facts = await statOf(path, label);
    if (facts.isFile()) {
      const file = { path, relative: basename(path), label, sizeBytes: facts.size };
      named.push(file);
      result.files.push(file);
      continue;
    }
    if (!facts.isDirectory())
      throw new AppError({
        code: 'INVALID_FILE',
        message: `${label} is neither a file nor a folder.`,
        hint: 'Choose a regular file.',
      });
    const root = await realpath(path);
    if ((await stat(join(root, '_versions')).catch(() => null))?.isDirectory())
      throw new AppError({
        code: 'INVALID_FILE',
        message: `${label} is a Lance table already.`,
        hint: 'Put its folder, whose name ends with “.lance”, into CURIO_HOME; it is listed at once.',
      });
    const walk: Walk = {
      root,
      label: label.replace(/\/+$/, ''),
      seen: new Set(),
      found: [],
      outside: [],
      signal,
    };
    await enterFolder(root, walk);
    if (walk.found.length === 0)
      throw new AppError({
        code: 'INVALID_FILE',
        message: `${label} has no files.`,
        hint: 'Hidden files are not imported.',
      });
    result.files.push(...walk.found);
    result.folders.push(root);
    if (walk.outside.length > 0)
      result.notices.push(`${nameSome(walk.outside)}: links that lead out of the folder were left out.`);
  }
  const parent = commonFolder(named.map((file) => file.path));
  for (const file of named) file.relative = relative(parent, file.path).split(sep).join('/');
  return result;
}

/** The folder that all the files are below. */
function commonFolder(paths: readonly string[]): string {
  let parent = dirname(paths[0] ?? '.');
  while (!paths.every((path) => isInside(path, parent))) parent = dirname(parent);
  return parent;
}
