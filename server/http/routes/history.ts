import type { historyApi } from '#shared/api/history.ts';
import type { Ports } from '../../ports/index.ts';
import { readGraph } from '../../usecases/table-graph.ts';
import { traceRow } from '../../usecases/trace-row.ts';
import type { Handlers } from '../handler.ts';

export function historyRoutes(ports: Ports): Handlers<typeof historyApi> {
  return {
    tableGraph: ({ params, body, signal }) => readGraph(ports, { ...params, ...body }, { signal }),
    rowHistory: ({ params, body, signal }) => traceRow(ports, { ...params, ...body }, { signal }),
  };
}
