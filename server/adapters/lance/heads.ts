import { createHash } from 'node:crypto';
import * as z from 'zod';
import { notFound } from '#shared/api/problem.ts';
import { mainBranch, type PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import type { BranchHead, Pinned, StoredTag, TableHeads } from '../../ports/table-reader.ts';
import type { StoredHome } from './connect.ts';
import { parseManifest } from './manifest/manifest.ts';
import {
  branchesFolder,
  manifestNames,
  tagsFolder,
  versionOfManifest,
  versionsFolder,
} from './table-files.ts';
import { readTableUuid } from './table-identity.ts';

const hiddenBranchPrefix = 'curio-pin/';

const BranchFile = z.object({
  parentBranch: z.string().nullish(),
  parentVersion: z.number(),
  createAt: z.number(),
  identifier: z.object({ version_mapping: z.array(z.tuple([z.number(), z.string()])) }).optional(),
});
type BranchFile = z.infer<typeof BranchFile>;

const TagFile = z.object({
  branch: z.string().nullish(),
  version: z.number(),
  createdAt: z.string().nullish(),
});

const nameOfFile = (file: string): string | null => {
  if (!file.endsWith('.json')) return null;
  try {
    return decodeURIComponent(file.slice(0, -'.json'.length));
  } catch {
    return null;
  }
};

async function readJson<T>(home: StoredHome, path: string, schema: z.ZodType<T>): Promise<T | null> {
  const bytes = await home.storage.read(path);
  if (!bytes) return null;
  try {
    return schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return null;
  }
}

/**
 * Lance writes the time of a branch in whole seconds; the fraction comes from the branch's unique id, so that a
 * branch made again within one second is told from the one before.
 */
function creationOf({ createAt, identifier }: BranchFile): string {
  const id = identifier?.version_mapping.at(-1)?.[1] ?? '';
  const fraction = createHash('sha256').update(id).digest().readUInt32LE(0) % 1_000_000;
  return new Date(createAt * 1000)
    .toISOString()
    .replace('.000Z', `.${fraction.toString().padStart(6, '0')}Z`);
}

/** When a branch was made, as in {@link BranchHead.createdAt}; null for main and for branches that are not there. */
export async function readBranchCreation(
  home: StoredHome,
  table: string,
  branch: string,
): Promise<string | null> {
  if (branch === mainBranch) return null;
  const file = await readJson(home, `${branchesFolder(table)}/${encodeBranch(branch)}.json`, BranchFile);
  return file && creationOf(file);
}

const encodeBranch = (branch: string): string =>
  encodeURIComponent(branch).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** What is kept of a manifest. */
export interface ManifestFacts {
  /** When the version was committed; null where it cannot be told. */
  at: Date | null;
  hasStableRowIds: boolean;
}

function manifestFacts(bytes: Uint8Array): ManifestFacts | null {
  try {
    const { committedAt, hasStableRowIds } = parseManifest(bytes);
    return { at: committedAt, hasStableRowIds };
  } catch {
    return null;
  }
}

interface Head {
  version: number;
  updatedAt: string;
}

interface KeptHead extends Head {
  folderIdentity: string;
}

const trustAfterMs = 1000;
const maxKeptManifests = 20_000;

/** Reads the newest versions of branches from the names of their manifests, however many there are. */
export class HeadReader {
  #home: StoredHome;
  #newest = new Map<string, KeptHead>();
  #manifests = new Map<string, ManifestFacts>();

  constructor(home: StoredHome) {
    this.#home = home;
  }

  async readHeads({ table }: { table: string }, { signal }: CallContext): Promise<TableHeads> {
    const home = this.#home;
    const [main, files, tags] = await Promise.all([
      this.#head(table, mainBranch),
      home.storage.list(branchesFolder(table)),
      this.#tags(table),
    ]);
    signal.throwIfAborted();
    if (!main) throw notFound(`The table ${table}`);
    const [uuid, branches] = await Promise.all([
      readTableUuid(home, table),
      Promise.all(files.map((file) => this.#branch(table, file))),
    ]);
    const listed = branches.filter((branch) => branch !== null).sort((a, b) => a.name.localeCompare(b.name));
    return {
      uuid,
      branches: [
        { name: mainBranch, version: main.version, updatedAt: main.updatedAt, parent: null, createdAt: null },
        ...listed,
      ],
      tags,
    };
  }

  async hasVersion({ table, ref }: Pinned, _context: CallContext): Promise<{ exists: boolean }> {
    return { exists: (await this.#manifestPath(table, ref)) !== null };
  }

  async #branch(table: string, file: string): Promise<BranchHead | null> {
    const name = nameOfFile(file);
    if (name === null || name.startsWith(hiddenBranchPrefix)) return null;
    const [facts, head] = await Promise.all([
      readJson(this.#home, `${branchesFolder(table)}/${file}`, BranchFile),
      this.#head(table, name),
    ]);
    if (!facts || !head) return null;
    return {
      name,
      version: head.version,
      updatedAt: head.updatedAt,
      parent: { branch: facts.parentBranch ?? mainBranch, version: facts.parentVersion },
      createdAt: creationOf(facts),
    };
  }

  async #tags(table: string): Promise<StoredTag[]> {
    const files = await this.#home.storage.list(tagsFolder(table));
    const tags = await Promise.all(
      files.map(async (file) => {
        const name = nameOfFile(file);
        const facts =
          name === null ? null : await readJson(this.#home, `${tagsFolder(table)}/${file}`, TagFile);
        if (name === null || !facts) return null;
        const createdAt = facts.createdAt ? new Date(facts.createdAt).toISOString() : null;
        return { name, branch: facts.branch ?? mainBranch, version: facts.version, createdAt };
      }),
    );
    return tags.filter((tag) => tag !== null).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** The newest version; a folder of versions that has not changed for a while still has the same one. */
  async #head(table: string, branch: string): Promise<Head | null> {
    const path = versionsFolder(table, branch);
    const folder = await this.#home.storage.stat(path);
    if (!folder) return null;
    const folderIdentity = `${folder.identity} ${folder.modifiedAt.getTime()}`;
    const known = this.#newest.get(path);
    if (known?.folderIdentity === folderIdentity) return known;
    this.#newest.delete(path);
    let version = 0;
    for (const name of await this.#home.storage.list(path))
      version = Math.max(version, versionOfManifest(name) ?? 0);
    if (version === 0) return null;
    const { at } = await this.readManifest(table, { branch, version });
    const head = { version, updatedAt: (at ?? new Date(0)).toISOString(), folderIdentity };
    if (Date.now() - folder.modifiedAt.getTime() > trustAfterMs) this.#newest.set(path, head);
    return head;
  }

  async #manifestPath(table: string, { branch, version }: PinnedRef): Promise<string | null> {
    for (const name of manifestNames(version)) {
      const path = `${versionsFolder(table, branch)}/${name}`;
      if (await this.#home.storage.stat(path)) return path;
    }
    return null;
  }

  /** Facts of one version, from its manifest; versions never change, so they are read once. */
  async readManifest(table: string, ref: PinnedRef): Promise<ManifestFacts> {
    const nothing: ManifestFacts = { at: null, hasStableRowIds: false };
    const path = await this.#manifestPath(table, ref);
    const file = path === null ? null : await this.#home.storage.stat(path);
    if (path === null || !file) return nothing;
    const key = `${path} ${file.identity} ${file.modifiedAt.getTime()}`;
    const known = this.#manifests.get(key);
    if (known) return known;
    const bytes = await this.#home.storage.read(path);
    const facts = (bytes && manifestFacts(bytes)) ?? nothing;
    const kept = { ...facts, at: facts.at ?? file.modifiedAt };
    if (this.#manifests.size > maxKeptManifests) this.#manifests.clear();
    this.#manifests.set(key, kept);
    return kept;
  }
}
