import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Comment } from '#shared/api/review-parts.ts';
import type { Review } from '#shared/api/reviews.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import type { Change, Compared } from '../compare/index.ts';
import type { Anchor } from './model/anchor.ts';
import type { ChecksState } from './use-checks.ts';

/** What the parts of one review share. */
export interface ReviewScene {
  client: QueryClient;
  review: Review;
  /** Who looks at it. */
  me: string;
  /** Missing where its changes cannot be shown. */
  compared: Compared | null;
  /** The change of a row, as far as the row has one and it is loaded. */
  changeOf: (key: RowKey) => Change | undefined;
  checks: ChecksState;
  byRow: ReadonlyMap<string, readonly Comment[]>;
  /** The row or cell that is being commented on. */
  composing: Anchor | null;
  compose: (anchor: Anchor | null) => void;
  /** Shows a row among the changes, or in the table where it is not among them. */
  showRow: (key: RowKey) => void;
}

const ReviewContext = createContext<ReviewScene | null>(null);

export const ReviewProvider = ReviewContext.Provider;

export function useReviewScene(): ReviewScene {
  const scene = useContext(ReviewContext);
  if (!scene) throw new Error('There is no review around this part.');
  return scene;
}
