import type { queriesApi } from '#shared/api/queries.ts';
import { queryFileName } from '#shared/domain/query-file.ts';
import type { Ports } from '../../ports/index.ts';
import type { Principal } from '../../usecases/authorize.ts';
import { fileOfQuery, importQueries } from '../../usecases/query-files.ts';
import {
  createQuery,
  deleteQuery,
  getQuery,
  listQueries,
  putQuery,
  restoreQuery,
} from '../../usecases/saved-queries.ts';
import type { Handlers } from '../handler.ts';

/** Names of files in a header: ASCII for old readers, the rest as RFC 5987 has it. */
const attachment = (name: string): string =>
  `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`;

export function queryRoutes(ports: Ports, principal: Principal): Handlers<typeof queriesApi> {
  return {
    listQueries: ({ query }) => ({ queries: listQueries(ports, query, principal) }),
    createQuery: ({ body: { origin, ...text }, signal }) =>
      createQuery(ports, { text, origin }, { principal, signal }),
    getQuery: ({ params }) => getQuery(ports, params.id, principal),
    putQuery: ({ params, body: { revision, ...text }, signal }) =>
      putQuery(ports, { id: params.id, text, revision }, { principal, signal }),
    deleteQuery: ({ params, signal }) => deleteQuery(ports, params.id, { principal, signal }),
    restoreQuery: ({ params }) => restoreQuery(ports, params.id, principal),
    queryFile: ({ params }) => {
      const query = getQuery(ports, params.id, principal);
      return {
        status: 200,
        headers: {
          'Content-Type': 'application/sql; charset=utf-8',
          'Content-Disposition': attachment(queryFileName(query.name)),
          'Cache-Control': 'no-store',
        },
        body: new TextEncoder().encode(fileOfQuery(query)),
      };
    },
    importQueries: async ({ body, signal }) => ({
      files: await importQueries(ports, body.files, { principal, signal }),
    }),
  };
}
