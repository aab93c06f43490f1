import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from '@lancedb/lancedb';
import type { Schema } from '../../arrow/arrow.ts';
import type { CallContext } from '../../ports/call.ts';
import type { Pinned, TableFacts } from '../../ports/table-reader.ts';
import { readBlobBytes } from './blob-bytes.ts';
import { isBlobField } from './column-type-arrow.ts';
import type { LanceHome } from './connect.ts';
import { describeTable } from './describe.ts';
import type { HeadReader } from './heads.ts';
import { withLanceErrors } from './lance-errors.ts';
import { openPinned } from './open-table.ts';
import { pruneFolder } from './permutation/permutation-file.ts';
import { readPinnedIdentity } from './pinned-key.ts';
import { type IdOrder, readTableIds, type TableIds } from './rows/id-order.ts';
import type { SampledColumn } from './sample-columns.ts';
import { readTableUuid } from './table-identity.ts';

/** A handle at a pinned ref, with what never changes about it. The handle is shared: it must not be checked out elsewhere. */
export interface PinnedTable {
  /** Part of every cache key (see `readPinnedIdentity`). */
  key: string;
  /** `of` in addresses that browsers may keep. */
  incarnation: string;
  handle: Table;
  schema: Schema;
  facts: TableFacts;
  /** The order of the rows by id where they do not lie in it (`readTableIds`); read when it is first asked for. */
  idOrder(): Promise<IdOrder | null>;
  /** The ids of the rows as they lie, where that is by id. */
  storedIds(): Promise<IdOrder | null>;
}

interface Kept {
  handle: Table;
  schema: Schema;
  facts: TableFacts;
  /** The order of the rows by id where they do not lie in it (`readTableIds`); read when it is first asked for. */
  idOrder(): Promise<IdOrder | null>;
  /** The ids of the rows as they lie, where that is by id. */
  storedIds(): Promise<IdOrder | null>;
}

/** How texts that name media elsewhere are recognised. */
export interface LinkRoles {
  /** Changes when others are recognised: facts that were kept are made anew. */
  edition: string;
  roleOf(texts: readonly string[]): 'image' | 'video' | 'audio' | 'blob' | null;
}

const maxKept = 100;
const pruneEvery = 200;
const maxFolderBytes = 64 * 1024 * 1024;
/** Part of the names of cached facts: to be raised when facts or the guessing of roles change. */
const factsFormat = 3;

/** Opens pinned refs; their facts are made once and kept in memory and in the cache folder. */
export class PinnedTables {
  #home: LanceHome;
  #heads: HeadReader;
  #links: LinkRoles | null;
  #folder: string;
  #stored = 0;
  #kept = new Map<string, Promise<Kept>>();
  #samples = new Map<string, Map<string, SampledColumn>>();

  constructor(options: { home: LanceHome; heads: HeadReader; cache: string; links?: LinkRoles }) {
    this.#home = options.home;
    this.#heads = options.heads;
    this.#links = options.links ?? null;
    this.#folder = join(options.cache, 'facts');
  }

  async open(pinned: Pinned, { signal }: CallContext): Promise<PinnedTable> {
    const { key, incarnation } = await readPinnedIdentity(this.#home, pinned);
    signal.throwIfAborted();
    let kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
    } else {
      kept = this.#load(pinned, key);
      kept.catch(() => this.#kept.delete(key));
    }
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxKept) break;
      this.#kept.delete(oldest);
    }
    return { key, incarnation, ...(await kept) };
  }

  /** Made for all who wait for it, so that nobody's going away spoils it for the others. */
  async #load(pinned: Pinned, key: string): Promise<Kept> {
    const { table, ref } = pinned;
    const handle = await openPinned(this.#home, table, ref);
    return withLanceErrors({ table, ref, home: this.#home.path }, async () => {
      const schema = await handle.schema();
      const path = join(this.#folder, `${key}.${factsFormat}${this.#links?.edition ?? ''}.json`);
      const stored = await readFacts(path);
      if (stored) return this.#keep(pinned, handle, schema, stored);
      const hasBlobs = schema.fields.some(isBlobField);
      const [uuid, { hasStableRowIds }, blobBytes] = await Promise.all([
        readTableUuid(this.#home, table),
        this.#heads.readManifest(table, ref),
        hasBlobs ? readBlobBytes(this.#home, pinned) : 0,
      ]);
      const facts = await describeTable({
        ...pinned,
        handle,
        schema,
        uuid,
        hasStableRowIds,
        blobBytes,
        before: this.#samplesOf(uuid),
        linkRole: (texts) => this.#links?.roleOf(texts) ?? null,
        signal: new AbortController().signal,
      });
      await this.#store(path, facts);
      return this.#keep(pinned, handle, schema, facts);
    });
  }

  /** What was found in versions of a table so far. */
  #samplesOf(uuid: string): Map<string, SampledColumn> {
    const samples = this.#samples.get(uuid) ?? new Map<string, SampledColumn>();
    if (this.#samples.size > maxKept) this.#samples.clear();
    this.#samples.set(uuid, samples);
    return samples;
  }

  #keep(pinned: Pinned, handle: Table, schema: Schema, facts: TableFacts): Kept {
    let ids: Promise<TableIds | null> | null = null;
    const read = async (): Promise<TableIds | null> => {
      const found = await readTableIds(this.#home, pinned).catch(() => null);
      return found?.order.count === facts.rows ? found : null;
    };
    const orderWhere = async (isStored: boolean): Promise<IdOrder | null> => {
      ids ??= read();
      const found = await ids;
      return found?.isStored === isStored ? found.order : null;
    };
    return {
      handle,
      schema,
      facts,
      idOrder: () => orderWhere(false),
      storedIds: () => orderWhere(true),
    };
  }

  async #store(path: string, facts: TableFacts): Promise<void> {
    const draft = `${path}.${randomUUID()}.tmp`;
    try {
      await mkdir(this.#folder, { recursive: true });
      await writeFile(draft, JSON.stringify(facts));
      await rename(draft, path);
      this.#stored += 1;
      if (this.#stored % pruneEvery === 0) await pruneFolder(this.#folder, maxFolderBytes);
    } catch {
      // A cache that cannot be written is no fault of the request.
    }
  }
}

async function readFacts(path: string): Promise<TableFacts | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as TableFacts;
  } catch {
    return null;
  }
}
