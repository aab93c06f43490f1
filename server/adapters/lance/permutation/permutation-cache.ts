import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { abortedError } from '#shared/api/problem.ts';
import type { OrderBy } from '#shared/api/tables.ts';
import { withLanceErrors } from '../lance-errors.ts';
import { namesRowId } from '../rows/names-row-id.ts';
import { buildLargePermutation } from './build-large.ts';
import { takeBuildLock } from './build-lock.ts';
import { buildPermutation, type PermutationInput } from './build-permutation.ts';
import {
  openPermutation,
  type Permutation,
  permutationOf,
  pruneFolder,
  writePermutation,
} from './permutation-file.ts';

export interface PermutationRequest extends Omit<PermutationInput, 'orderBy'> {
  /** Of the pinned ref (`readPinnedKey`). */
  pinnedKey: string;
  orderBy?: readonly OrderBy[];
  /** Positions that are wanted now. */
  offset: number;
  limit: number;
  signal: AbortSignal;
}

/** The ids of a window and how many rows there are in all. */
export interface PermutationWindow {
  ids: BigUint64Array;
  count: number;
}

interface Build {
  whole: Promise<Permutation>;
  /** Settles with the first rows, or as `whole` does. */
  first: Promise<PermutationWindow | null>;
  firstCount: number;
  waiting: number;
  isDelivered: boolean;
  controller: AbortController;
}

const defaultMaxBytes = 2 * 1024 * 1024 * 1024;
const maxFirstRows = 2_000;
/** More rows are sorted part by part, with files in between; texts, which take more in parts, from four times as many on. */
const defaultMaxRowsInMemory = 4_000_000;
const textFactor = 4;
const textTypes = /utf8|json/;
/** Part of every name: to be raised when the order of values or the file changes. */
const format = 3;

/**
 * Orders of row ids, kept as files that may be deleted at any time. Each is built once, whoever asks: requests of one
 * process share a build, and processes take turns by a lock file that names its holder.
 */
export class PermutationCache {
  #folder: string;
  #maxBytes: number;
  #maxRowsInMemory: number;
  #builds = new Map<string, Build>();

  constructor(options: { cache: string; maxBytes?: number; maxRowsInMemory?: number }) {
    this.#folder = join(options.cache, 'permutations');
    this.#maxBytes = options.maxBytes ?? defaultMaxBytes;
    this.#maxRowsInMemory = options.maxRowsInMemory ?? defaultMaxRowsInMemory;
  }

  async window(request: PermutationRequest): Promise<PermutationWindow> {
    const { offset, limit, signal } = request;
    const path = this.#pathOf(request);
    const stored = await openPermutation(path);
    if (stored) return { ids: await stored.ids(offset, limit), count: stored.count };
    const build = this.#builds.get(path) ?? this.#start(path, request);
    return waitFor(build, signal, async () => {
      const first = offset + limit <= build.firstCount ? await build.first : null;
      if (first) return { ids: first.ids.slice(offset, offset + limit), count: first.count };
      const whole = await build.whole;
      return { ids: await whole.ids(offset, limit), count: whole.count };
    });
  }

  /** The whole order, made where it is not kept yet. */
  async whole(request: Omit<PermutationRequest, 'offset' | 'limit'>): Promise<Permutation> {
    const path = this.#pathOf(request);
    const stored = await openPermutation(path);
    if (stored) return stored;
    const build = this.#builds.get(path) ?? this.#start(path, { ...request, offset: 0, limit: 0 });
    return waitFor(build, request.signal, () => build.whole);
  }

  /** How many rows match, when that is known already. */
  async knownCount(
    request: Pick<PermutationRequest, 'pinnedKey' | 'where' | 'orderBy'>,
  ): Promise<number | null> {
    return (await openPermutation(this.#pathOf(request)))?.count ?? null;
  }

  #pathOf({
    pinnedKey,
    where,
    orderBy = [],
  }: Pick<PermutationRequest, 'pinnedKey' | 'where' | 'orderBy'>): string {
    const order = orderBy.map(({ column, desc, nulls }) => [column, desc ?? false, nulls ?? 'last']);
    const hash = createHash('sha256')
      .update(JSON.stringify([format, pinnedKey, where ?? null, order]))
      .digest('hex');
    return join(this.#folder, `${hash.slice(0, 40)}.ids`);
  }

  async #isLarge({ handle, facts, where, orderBy, place }: PermutationInput): Promise<boolean> {
    const hasTexts = orderBy.some(({ column }) =>
      facts.columns.some(({ name, type }) => name === column && textTypes.test(type)),
    );
    const mostRows = this.#maxRowsInMemory * (hasTexts ? textFactor : 1);
    if (facts.rows <= mostRows) return false;
    if (where !== undefined && namesRowId(where)) return false;
    const rows =
      where === undefined ? facts.rows : await withLanceErrors(place, () => handle.countRows(where));
    return rows > mostRows;
  }

  #start(path: string, request: PermutationRequest): Build {
    const controller = new AbortController();
    const end = request.offset + request.limit;
    const firstCount = end <= maxFirstRows ? end : 0;
    let deliver: (window: PermutationWindow | null) => void = () => undefined;
    const ahead = new Promise<PermutationWindow | null>((resolve) => {
      deliver = resolve;
    });
    const whole = this.#make(path, request, { firstCount, onFirst: deliver }, controller.signal).finally(
      () => {
        this.#builds.delete(path);
        deliver(null);
      },
    );
    whole.catch(() => undefined);
    const build: Build = { whole, first: ahead, firstCount, waiting: 0, isDelivered: false, controller };
    this.#builds.set(path, build);
    return build;
  }

  async #make(
    path: string,
    request: PermutationRequest,
    events: { firstCount: number; onFirst: (window: PermutationWindow) => void },
    signal: AbortSignal,
  ): Promise<Permutation> {
    const lock = await takeBuildLock(`${path}.lock`, () => openPermutation(path), signal);
    if ('made' in lock) return lock.made;
    try {
      const input = { ...request, orderBy: request.orderBy ?? [] };
      const large = input.orderBy.length > 0 && (await this.#isLarge(input)) ? input : null;
      if (large) {
        await buildLargePermutation(large, { path }, events, signal);
        await pruneFolder(this.#folder, this.#maxBytes);
        const made = await openPermutation(path);
        if (made) return made;
      }
      const ids = await buildPermutation(input, events, signal);
      try {
        await writePermutation(path, ids);
        await pruneFolder(this.#folder, this.#maxBytes);
        return (await openPermutation(path)) ?? permutationOf(ids);
      } catch {
        return permutationOf(ids);
      }
    } finally {
      await lock.release();
    }
  }
}

/** Waits for a part of a build; when nobody waits any longer and nothing was given out, the build ends. */
async function waitFor<T>(build: Build, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw abortedError();
  build.waiting += 1;
  let onAbort: () => void = () => undefined;
  const gone = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(abortedError());
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    const value = await Promise.race([work(), gone]);
    build.isDelivered = true;
    return value;
  } finally {
    signal.removeEventListener('abort', onAbort);
    build.waiting -= 1;
    if (build.waiting === 0 && !build.isDelivered) build.controller.abort();
  }
}
