import { useQuery } from '@tanstack/react-query';
import { callJson } from '../../api/index.ts';

export interface MediaPlace {
  table: string;
  ref: string;
  column: string;
  rowId: string;
}

/** What a media cell says about itself. Kept for ever: the ref is pinned. */
export const useMediaFacts = ({ table, ref, column, rowId }: MediaPlace, isEnabled: boolean) =>
  useQuery({
    queryKey: ['media-facts', table, ref, column, rowId],
    queryFn: ({ signal }) =>
      callJson('mediaFacts', { params: { table, column, rowId }, query: { ref }, signal }),
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
