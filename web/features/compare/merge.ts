import type { QueryClient } from '@tanstack/react-query';
import type { DiffSummary, MergeResult } from '#shared/api/edits.ts';
import { callJson, queryKeys } from '../../api/index.ts';
import { type ChoiceBook, toMergeInput } from './model/choices.ts';
import type { Comparison } from './queries.ts';

export interface MergeRequest {
  comparison: Comparison;
  summary: DiffSummary;
  book: ChoiceBook;
  message?: string;
}

const toBody = ({ comparison, summary, book, message }: MergeRequest) => ({
  from: comparison.from,
  into: comparison.into,
  expected: { from: summary.from.version, into: summary.into.version },
  ...toMergeInput(book),
  ...(message ? { message } : {}),
});

/** What a merge would do, without doing it. */
export const planMerge = (request: MergeRequest, signal?: AbortSignal): Promise<MergeResult> =>
  callJson('merge', {
    params: { table: request.comparison.table },
    body: { ...toBody(request), dryRun: true },
    signal,
  });

/** Lands the changes. The comparison itself stays as it is, so that one sees what was merged. */
export async function landMerge(client: QueryClient, request: MergeRequest): Promise<MergeResult> {
  const { table } = request.comparison;
  const result = await callJson('merge', { params: { table }, body: toBody(request) });
  await Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.session }),
    client.invalidateQueries({
      queryKey: queryKeys.table(table),
      predicate: ({ queryKey }) => queryKey[2] !== 'diff',
    }),
  ]);
  return result;
}
