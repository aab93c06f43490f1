import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FacetsBody } from '#shared/api/facets.ts';
import { callJson } from '../../api/index.ts';

const forEver = { staleTime: Number.POSITIVE_INFINITY, gcTime: 120_000, retry: false } as const;

export interface FacetsQuestion {
  table: string;
  ref: string;
  conditions: readonly string[];
  columns: readonly string[];
  marked: string | undefined;
}

const bodyOf = ({ ref, conditions, columns, marked }: FacetsQuestion): FacetsBody => ({
  ref,
  conditions: [...conditions],
  columns: columns.toSorted(),
  ...(marked === undefined ? {} : { marked }),
});

/** Linked distributions of all rows, or of a sample; the last answer stays while the next is on its way. */
export const useFacetsAnswer = (
  question: FacetsQuestion,
  { sample, isEnabled }: { sample?: number; isEnabled: boolean },
) =>
  useQuery({
    queryKey: ['facets', question.table, bodyOf(question), sample ?? 0],
    queryFn: ({ signal }) =>
      callJson('facets', {
        params: { table: question.table },
        body: { ...bodyOf(question), ...(sample === undefined ? {} : { sample }) },
        signal,
      }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    ...forEver,
  });

/** The cube of the column that is about to be brushed. */
export const useCube = (
  question: FacetsQuestion,
  { active, sample }: { active: string | null; sample?: number | undefined },
) =>
  useQuery({
    queryKey: ['facetCube', question.table, { ...bodyOf(question), marked: undefined }, active, sample ?? 0],
    queryFn: async ({ signal }) => {
      const { cube } = await callJson('facets', {
        params: { table: question.table },
        body: {
          ...bodyOf({ ...question, marked: undefined }),
          active: active ?? '',
          ...(sample === undefined ? {} : { sample }),
        },
        signal,
      });
      return cube;
    },
    enabled: active !== null,
    ...forEver,
  });
