import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FacetsAnswer, FacetsBody, FacetsEvent } from '#shared/api/facets.ts';
import { AppError, parseProblem } from '#shared/api/problem.ts';
import { callEvents, callJson } from '../../api/index.ts';

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

/** How far the counting is. */
export type FacetsProgress = Extract<FacetsEvent, { progress: unknown }>['progress'];

export const liveFacetsKey = (question: FacetsQuestion) =>
  ['facetsLive', question.table, bodyOf(question)] as const;

/** Linked distributions of all rows of a large table, with how far they are. */
export const useLiveFacets = (
  question: FacetsQuestion,
  { isEnabled, onProgress }: { isEnabled: boolean; onProgress: (progress: FacetsProgress | null) => void },
) =>
  useQuery({
    queryKey: liveFacetsKey(question),
    queryFn: async ({ signal }): Promise<FacetsAnswer> => {
      let last: FacetsEvent | null = null;
      onProgress(null);
      await callEvents(
        'facetsLive',
        { params: { table: question.table }, body: bodyOf(question), signal },
        (event) => {
          last = event;
          if ('progress' in event && !signal.aborted) onProgress(event.progress);
        },
      );
      const end = last as FacetsEvent | null;
      if (end && 'answer' in end) return end.answer;
      if (end && 'problem' in end) throw parseProblem(end.problem);
      throw new AppError({ code: 'STREAM_BROKEN', message: 'The counting ended before it was done.' });
    },
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
