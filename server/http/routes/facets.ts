import type { facetsApi } from '#shared/api/facets.ts';
import type { Ports } from '../../ports/index.ts';
import { countFacets } from '../../usecases/count-facets.ts';
import type { Handlers } from '../handler.ts';

export function facetRoutes(ports: Ports): Handlers<typeof facetsApi> {
  return {
    facets: ({ params, body, signal }) => countFacets(ports, { table: params.table, ...body }, { signal }),
  };
}
