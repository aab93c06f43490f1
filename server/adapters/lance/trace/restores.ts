import type { LanceHome } from '../connect.ts';
import { readOperation } from '../manifest/operation.ts';
import { manifestNames, versionsFolder } from '../table-files.ts';

export interface RestoresInput {
  table: string;
  branch: string;
  /** Tells the branch of the table from others that had their names. */
  incarnation: string;
  versions: number[];
}

interface Known {
  seen: Set<number>;
  restored: Set<number>;
}

const manifestsAtOnce = 32;
const maxBranches = 64;
const maxVersions = 200_000;

/** Knows which versions went back to an earlier one; what a version was never changes, so each manifest is read once. */
export class RestoreFinder {
  #home: LanceHome;
  #known = new Map<string, Known>();

  constructor(home: LanceHome) {
    this.#home = home;
  }

  async find(
    { table, branch, incarnation, versions }: RestoresInput,
    signal: AbortSignal,
  ): Promise<number[]> {
    const known = this.#knownOf(incarnation);
    const unseen = versions.filter((version) => !known.seen.has(version));
    for (let at = 0; at < unseen.length; at += manifestsAtOnce) {
      signal.throwIfAborted();
      const some = unseen.slice(at, at + manifestsAtOnce);
      const restored = await Promise.all(some.map((version) => this.#isRestore({ table, branch, version })));
      some.forEach((version, index) => {
        known.seen.add(version);
        if (restored[index]) known.restored.add(version);
      });
    }
    return versions.filter((version) => known.restored.has(version));
  }

  #knownOf(incarnation: string): Known {
    const found = this.#known.get(incarnation);
    const known =
      found && found.seen.size <= maxVersions
        ? found
        : { seen: new Set<number>(), restored: new Set<number>() };
    this.#known.delete(incarnation);
    this.#known.set(incarnation, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxBranches && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  async #isRestore({
    table,
    branch,
    version,
  }: {
    table: string;
    branch: string;
    version: number;
  }): Promise<boolean> {
    for (const name of manifestNames(version)) {
      const bytes = await this.#home.storage.read(`${versionsFolder(table, branch)}/${name}`);
      if (bytes) return (await readOperation(this.#home, { table, branch, bytes })) === 'restore';
    }
    return false;
  }
}
