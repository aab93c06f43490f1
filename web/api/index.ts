export type { ArrowRows } from './arrow-rows.ts';
export { addressOf, callArrow, callEvents, callJson, callNone } from './client.ts';
export { moveHead, noteBranch, noteTag } from './move-head.ts';
export {
  describeQuery,
  queryKeys,
  refreshHeads,
  savedQueriesQuery,
  sessionQuery,
  useHeadMoves,
  useOpenReviews,
  useSession,
  useTableDetail,
  useTableSummary,
} from './queries.ts';
