import { createWriteStream } from 'node:fs';
import { glob, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, notFound } from '#shared/api/problem.ts';
import type { FoundSource, SourceFiles } from '../../ports/source-files.ts';

export interface SourceFilesOptions {
  /** Where uploads are kept. */
  folder: string;
  /** Relative paths start here. */
  workingFolder: string;
  now?: () => Date;
}

const keptMs = 24 * 3600 * 1000;
const maxMatches = 1_000_000;
const groupPattern = /^[A-Za-z0-9-]{1,64}$/;

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null;

const isPattern = (text: string): boolean => /[*?[{]/.test(text);

/** The parts of a name that an upload may have below its folder: no way up, nothing hidden, nothing that a disk refuses. */
function safeParts(name: string): string[] {
  const parts = name
    .replaceAll('\\', '/')
    .split('/')
    .map((part) =>
      [...part]
        .filter((char) => char >= ' ')
        .slice(0, 200)
        .join(''),
    )
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  return parts.length === 0 ? ['file'] : parts;
}

/** The same name, or one with a number where that is taken. */
async function freeParts(root: string, parts: string[]): Promise<string[]> {
  const last = parts.at(-1)!;
  const { name, ext } = parse(last);
  for (let number = 1; ; number += 1) {
    const wanted = [...parts.slice(0, -1), number === 1 ? last : `${name}-${number}${ext}`];
    if (!(await exists(join(root, ...wanted)))) return wanted;
  }
}

const absent = (text: string): AppError =>
  notFound(
    text,
    'Paths are looked up on the machine where Curio runs, from the folder where it was started.',
  );

export function createSourceFiles({
  folder,
  workingFolder,
  now = () => new Date(),
}: SourceFilesOptions): SourceFiles {
  const groupFolder = (group: string): string => {
    if (!groupPattern.test(group)) throw notFound(`The upload ${group.slice(0, 80)}`);
    return join(folder, group);
  };
  return {
    async find(pattern, signal) {
      const direct = resolve(workingFolder, pattern);
      if (await exists(direct)) return [{ path: direct, label: pattern }];
      if (!isPattern(pattern)) throw absent(pattern);
      const found: FoundSource[] = [];
      for await (const match of glob(pattern, { cwd: workingFolder })) {
        signal.throwIfAborted();
        found.push({ path: resolve(workingFolder, match), label: match });
        if (found.length > maxMatches)
          throw new AppError({
            code: 'BAD_REQUEST',
            message: `${pattern} matches more than a million files.`,
            hint: 'Name a folder instead.',
          });
      }
      if (found.length === 0) throw absent(`Anything that matches ${pattern}`);
      return found.sort((a, b) => byName(a.label, b.label));
    },
    async keepUpload({ group, name, stream }, signal) {
      const root = groupFolder(group);
      const parts = await freeParts(root, safeParts(name));
      const path = join(root, ...parts);
      await mkdir(dirname(path), { recursive: true });
      await pipeline(stream, createWriteStream(path, { flags: 'wx' }), { signal });
      return { id: `${group}/${parts.join('/')}`, name: parts.join('/'), sizeBytes: (await stat(path)).size };
    },
    async groupSource(group) {
      const root = groupFolder(group);
      const [only, ...others] = await readdir(root).catch(() => []);
      if (only === undefined) throw notFound('The upload');
      return others.length === 0 ? { path: join(root, only), label: only } : { path: root, label: '' };
    },
    async findUpload(id) {
      const [group = '', ...rest] = id.split('/');
      const parts = safeParts(rest.join('/'));
      const path = join(groupFolder(group), ...parts);
      if (rest.length === 0 || parts.join('/') !== rest.join('/') || !(await exists(path)))
        throw notFound(`The upload ${id.slice(0, 80)}`, 'Uploads are kept for a day. Send the file again.');
      return { path, label: parts.at(-1)! };
    },
    removeGroup: (group) => rm(groupFolder(group), { recursive: true, force: true }),
    async sweep(signal) {
      for (const group of await readdir(folder).catch(() => [])) {
        signal.throwIfAborted();
        const facts = await stat(join(folder, group)).catch(() => null);
        if (facts && now().getTime() - facts.mtimeMs > keptMs)
          await rm(join(folder, group), { recursive: true, force: true });
      }
    },
  };
}

const byName = new Intl.Collator('en', { numeric: true }).compare;
