import { withTableTurn } from '../table-turns.ts';

/** Merging, closing and opening again of one review happen one after the other. Within it, tables may be waited for. */
export const withReviewTurn = <T>(id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  // No table has a blank in its name.
  withTableTurn(`review ${id}`, signal, work);
