import type { tablesApi } from '#shared/api/tables.ts';
import type { Ports } from '../../ports/index.ts';
import type { Principal } from '../../usecases/authorize.ts';
import { createBranch, deleteBranch, listBranches } from '../../usecases/branches.ts';
import { readHistory } from '../../usecases/history.ts';
import { createIndex, dropIndex, listIndexes } from '../../usecases/indexes.ts';
import { profileTable } from '../../usecases/profile-table.ts';
import { searchRows } from '../../usecases/search-rows.ts';
import { createTag, deleteTag, listTags } from '../../usecases/tags.ts';
import type { Handlers } from '../handler.ts';
import { immutableTag } from '../immutable-tag.ts';

type RefRoutes = Pick<
  typeof tablesApi,
  | 'listIndexes'
  | 'createIndex'
  | 'dropIndex'
  | 'listBranches'
  | 'createBranch'
  | 'deleteBranch'
  | 'listTags'
  | 'createTag'
  | 'deleteTag'
  | 'history'
  | 'search'
  | 'profile'
>;

export function refRoutes(ports: Ports, _principal: Principal): Handlers<RefRoutes> {
  return {
    listIndexes: async ({ params, query, signal }) => ({
      indexes: await listIndexes(ports, { table: params.table, ref: query.ref }, { signal }),
    }),
    createIndex: async ({ params, body, signal }) => {
      const { id } = await createIndex(ports, { table: params.table, ...body }, { signal });
      return { job: { id } };
    },
    dropIndex: ({ params, query, signal }) =>
      dropIndex(ports, { table: params.table, index: params.index, branch: query.branch }, { signal }),
    listBranches: async ({ params, signal }) => ({
      branches: await listBranches(ports, params.table, { signal }),
    }),
    createBranch: ({ params, body, signal }) =>
      createBranch(ports, { table: params.table, ...body }, { signal }),
    deleteBranch: ({ params, signal }) =>
      deleteBranch(ports, { table: params.table, name: params.branch }, { signal }),
    listTags: async ({ params, signal }) => ({ tags: await listTags(ports, params.table, { signal }) }),
    createTag: ({ params, body, signal }) => createTag(ports, { table: params.table, ...body }, { signal }),
    deleteTag: ({ params, signal }) =>
      deleteTag(ports, { table: params.table, name: params.tag }, { signal }),
    history: ({ params, query, signal }) => readHistory(ports, { table: params.table, ...query }, { signal }),
    profile: ({ params, body, signal }) => profileTable(ports, { table: params.table, ...body }, { signal }),
    search: async ({ params, query, body, signal }) => {
      const { stream, resolved } = await searchRows(ports, { table: params.table, body }, { signal });
      return { stream, immutableTag: immutableTag(resolved, ['search', body, query.format]) };
    },
  };
}
