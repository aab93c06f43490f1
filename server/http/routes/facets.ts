import type { facetsApi } from '#shared/api/facets.ts';
import type { Ports } from '../../ports/index.ts';
import { associateColumns, countFacets, detailColumns } from '../../usecases/count-facets.ts';
import { followFacets } from '../../usecases/follow-facets.ts';
import type { Handlers } from '../handler.ts';

export function facetRoutes(ports: Ports): Handlers<typeof facetsApi> {
  return {
    facets: ({ params, body, signal }) => countFacets(ports, { table: params.table, ...body }, { signal }),
    facetsLive: ({ params, body, signal }) =>
      followFacets(ports, { table: params.table, ...body }, { signal }),
    associations: ({ params, body, signal }) =>
      associateColumns(ports, { table: params.table, ...body }, { signal }),
    profileDetails: ({ params, body, signal }) =>
      detailColumns(ports, { table: params.table, ...body }, { signal }),
  };
}
