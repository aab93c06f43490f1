import type { RowTrace } from '../../../ports/row-trace.ts';
import type { LanceHome } from '../connect.ts';
import { RestoreFinder } from './restores.ts';
import { readRowStep } from './row-step.ts';

/** Rows followed from version to version; runs in an engine process. */
export function createRowTrace(home: LanceHome): RowTrace {
  const finder = new RestoreFinder(home);
  return {
    rowStep: (input, { signal }) => readRowStep(home, input, signal),
    restores: async (input, { signal }) => ({ versions: await finder.find(input, signal) }),
  };
}
