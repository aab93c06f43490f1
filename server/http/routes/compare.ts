import type { editsApi } from '#shared/api/edits.ts';
import type { Ports } from '../../ports/index.ts';
import type { Principal } from '../../usecases/authorize.ts';
import { cherryPick } from '../../usecases/cherry-pick.ts';
import { compareOverview, compareRefs, compareRows } from '../../usecases/compare-refs.ts';
import { rebaseBranch } from '../../usecases/rebase-branch.ts';
import { revertVersions } from '../../usecases/revert-versions.ts';
import { mergeDirectly } from '../../usecases/reviews/merge-directly.ts';
import type { Handlers } from '../handler.ts';

type CompareRoutes = Pick<
  typeof editsApi,
  'diff' | 'diffOverview' | 'diffRows' | 'merge' | 'rebase' | 'cherryPick' | 'revert'
>;

export function compareRoutes(ports: Ports, principal: Principal): Handlers<CompareRoutes> {
  const { name: author } = principal;
  return {
    diff: ({ params, body, signal }) => compareRefs(ports, { ...params, ...body }, { signal }),
    diffOverview: ({ params, body, signal }) => compareOverview(ports, { ...params, ...body }, { signal }),
    diffRows: async ({ params, body, signal }) => ({
      stream: await compareRows(ports, { ...params, ...body }, { signal }),
    }),
    merge: ({ params, body, signal }) => mergeDirectly(ports, { ...params, ...body }, { principal, signal }),
    rebase: ({ params, body, signal }) => rebaseBranch(ports, { ...params, ...body, author }, { signal }),
    cherryPick: ({ params, body, signal }) => cherryPick(ports, { ...params, ...body, author }, { signal }),
    revert: ({ params, body, signal }) => revertVersions(ports, { ...params, ...body, author }, { signal }),
  };
}
