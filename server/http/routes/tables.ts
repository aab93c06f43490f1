import type { tablesApi } from '#shared/api/tables.ts';
import type { Ports } from '../../ports/index.ts';
import { describeTable } from '../../usecases/describe-table.ts';
import { listTables } from '../../usecases/list-tables.ts';
import { patchTable } from '../../usecases/patch-table.ts';
import type { Handlers } from '../handler.ts';

type TableRoutes = Pick<typeof tablesApi, 'listTables' | 'describeTable' | 'patchTable'>;

export function tableRoutes(ports: Ports): Handlers<TableRoutes> {
  return {
    listTables: async ({ signal }) => ({ tables: await listTables(ports, { signal }) }),
    describeTable: ({ params, query, signal }) =>
      describeTable(ports, { table: params.table, ref: query.ref }, { signal }),
    patchTable: ({ params, body, signal }) =>
      patchTable(ports, { table: params.table, patch: body }, { signal }),
  };
}
