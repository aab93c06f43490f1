import { randomUUID } from 'node:crypto';
import { type BigIntStats, readdirSync, readFileSync, statSync } from 'node:fs';
import { copyFile, link, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '#shared/api/problem.ts';
import { FixedFiles } from './fixed-files.ts';

export interface StoredFile {
  sizeBytes: number;
  modifiedAt: Date;
  /** Changes when another file or folder takes the place. */
  identity: string;
}

/**
 * The few looks at files that Lance's API does not offer: refs, manifests and a table's identity. Paths are relative
 * to the home of the tables, with `/`. The only place that must learn `s3://`.
 */
export interface TableStorage {
  /** Names in a folder; empty when it is not there. */
  list(path: string): Promise<string[]>;
  /** The whole file, or null when it is not there. */
  read(path: string): Promise<Uint8Array | null>;
  readRange(path: string, start: number, end: number): Promise<Uint8Array>;
  /** A part of a file that never changes under its name; it may stay open for a while. Throws when it is not there, and past its end. */
  readFixed(path: string, start: number, end: number): Promise<Uint8Array>;
  /** The same into bytes of the caller, which are filled at once or when the promise resolves. */
  readFixedInto(path: string, start: number, bytes: Uint8Array): Promise<void> | undefined;
  stat(path: string): Promise<StoredFile | null>;
  /** Writes a file whole into a folder that is made if need be; false when there is one already, or when it cannot be written. */
  writeNew(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Makes a file that never changes appear at another place too, without copying it where that can be done. */
  share(path: string, target: string): Promise<void>;
  /** Removes a file or a folder with all that is in it; fine when there is none. */
  remove(path: string): Promise<void>;
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');
const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

function orWhenAbsent<T>(error: unknown, value: T): T {
  if (isAbsent(error)) return value;
  throw new AppError({
    code: codeOf(error) === 'EACCES' ? 'FORBIDDEN' : 'INTERNAL',
    message: 'A file of the tables cannot be read.',
    hint: 'Look at the rights of the folder of the tables.',
    cause: error,
  });
}

const smallBytes = 64 * 1024;

/** Small looks are synchronous: on a local disk they take microseconds, a tenth of what handing them to a thread does. */
function statOf(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    return orWhenAbsent(error, null);
  }
}

async function readWhole(path: string): Promise<Uint8Array | null> {
  const facts = statOf(path);
  if (!facts) return null;
  try {
    return facts.size <= smallBytes ? readFileSync(path) : await readFile(path);
  } catch (error) {
    return orWhenAbsent(error, null);
  }
}

/** Makes the folder, but none above it: what was dropped meanwhile must not come back as an empty folder. */
const makeFolder = async (path: string): Promise<void> => {
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
};

function createLocalStorage(home: string): TableStorage {
  const place = (path: string): string => join(home, path);
  const fixed = new FixedFiles(place);
  return {
    async list(path) {
      const folder = place(path);
      // Most tables have no branches and no tags, and an exception costs more than a look.
      if (!statOf(folder)) return [];
      try {
        return readdirSync(folder);
      } catch (error) {
        return orWhenAbsent(error, []);
      }
    },
    read: (path) => readWhole(place(path)),
    async readRange(path, start, end) {
      const file = await open(place(path));
      try {
        const bytes = Buffer.alloc(end - start);
        const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
        return bytes.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    readFixed: (path, start, end) => fixed.read(path, start, end),
    readFixedInto: (path, start, bytes) => fixed.readInto(path, start, bytes),
    async stat(path) {
      const facts = statOf(place(path));
      if (!facts) return null;
      return {
        sizeBytes: Number(facts.size),
        modifiedAt: facts.mtime,
        identity: `${facts.dev}.${facts.ino}.${facts.birthtimeNs}`,
      };
    },
    async writeNew(path, bytes) {
      const target = place(path);
      const draft = `${target}.${randomUUID()}.tmp`;
      try {
        await makeFolder(dirname(target));
        await writeFile(draft, bytes);
        await link(draft, target);
        return true;
      } catch {
        return false;
      } finally {
        await rm(draft, { force: true }).catch(() => undefined);
      }
    },
    async share(path, target) {
      await mkdir(dirname(place(target)), { recursive: true });
      try {
        await link(place(path), place(target));
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') await copyFile(place(path), place(target));
      }
    },
    remove: (path) => rm(place(path), { recursive: true, force: true }),
  };
}

/** Storage of a home folder. UNSUPPORTED for remote homes. */
export function createTableStorage(home: string): TableStorage {
  if (/^[a-z0-9]+:\/\//i.test(home) && !home.startsWith('file://')) {
    throw new AppError({
      code: 'UNSUPPORTED',
      message: 'Tables on remote storage cannot be opened yet.',
      hint: 'Set CURIO_HOME to a folder on this machine.',
    });
  }
  return createLocalStorage(home);
}
