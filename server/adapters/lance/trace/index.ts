import type { RowTrace } from '../../../ports/row-trace.ts';
import type { LanceHome } from '../connect.ts';
import { readOperation } from '../manifest/operation.ts';
import { manifestNames, versionsFolder } from '../table-files.ts';
import { readRowStep } from './row-step.ts';

const manifestsAtOnce = 16;

/** Rows followed from version to version; runs in an engine process. */
export const createRowTrace = (home: LanceHome): RowTrace => ({
  rowStep: (input, { signal }) => readRowStep(home, input, signal),
  async restores({ table, branch, versions }, { signal }) {
    const found: number[] = [];
    for (let at = 0; at < versions.length; at += manifestsAtOnce) {
      signal.throwIfAborted();
      const some = versions.slice(at, at + manifestsAtOnce);
      const restored = await Promise.all(some.map((version) => isRestore(home, { table, branch, version })));
      found.push(...some.filter((_version, index) => restored[index]));
    }
    return { versions: found };
  },
});

interface Place {
  table: string;
  branch: string;
  version: number;
}

async function isRestore(home: LanceHome, { table, branch, version }: Place): Promise<boolean> {
  for (const name of manifestNames(version)) {
    const bytes = await home.storage.read(`${versionsFolder(table, branch)}/${name}`);
    if (bytes) return (await readOperation(home, { table, branch, bytes })) === 'restore';
  }
  return false;
}
