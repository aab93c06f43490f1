import { annotationsApi } from './annotations.ts';
import { editsApi } from './edits.ts';
import { facetsApi } from './facets.ts';
import { historyApi } from './history.ts';
import { jobsApi } from './jobs.ts';
import { mediaApi } from './media.ts';
import { queriesApi } from './queries.ts';
import { reviewsApi } from './reviews.ts';
import { sessionApi } from './session.ts';
import { sqlApi } from './sql.ts';
import { tablesApi } from './tables.ts';

/** Every route, once: the server is mounted from it, the client made from it, OpenAPI generated from it. */
export const contract = {
  ...sessionApi,
  ...tablesApi,
  ...facetsApi,
  ...editsApi,
  ...jobsApi,
  ...mediaApi,
  ...annotationsApi,
  ...sqlApi,
  ...historyApi,
  ...queriesApi,
  ...reviewsApi,
};
export type Contract = typeof contract;
