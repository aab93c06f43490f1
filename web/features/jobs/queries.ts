import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { JobInfo } from '#shared/api/jobs.ts';
import { callJson, queryKeys, refreshHeads, useSession } from '../../api/index.ts';
import { goTo, jobsPath, tablePath, tablesPath } from '../../state/addresses.ts';
import { announce, showToast } from '../../ui/index.ts';
import { describeEnd, sortJobs, tableResultOf } from './model.ts';
import { onJobEnd, receiveJob, useLiveJobs, watchJob } from './store.ts';

export const jobsQuery = queryOptions({
  queryKey: queryKeys.jobs,
  queryFn: async ({ signal }) => (await callJson('listJobs', { signal })).jobs,
  staleTime: 0,
});

/** All jobs that the server remembers, as far as they are by now. */
export function useJobs() {
  const query = useQuery(jobsQuery);
  const live = useLiveJobs();
  useEffect(() => {
    for (const job of query.data ?? []) watchJob(job);
  }, [query.data]);
  const listed = (query.data ?? []).map((job) => live[job.id]?.info ?? job);
  const newer = Object.values(live)
    .map(({ info }) => info)
    .filter((job) => !listed.some(({ id }) => id === job.id));
  return { ...query, jobs: sortJobs([...newer, ...listed]) };
}

export async function cancelJob(id: string): Promise<void> {
  receiveJob(await callJson('cancelJob', { params: { id } }));
}

/** Watches the jobs that the session tells of, refreshes what they change, and says when one is done. Once per app. */
export function useJobsWatch(): void {
  const client = useQueryClient();
  const jobs = useSession().data?.jobs;
  useEffect(() => {
    for (const job of jobs ?? []) watchJob(job);
  }, [jobs]);
  useEffect(
    () =>
      onJobEnd((job: JobInfo) => {
        void refreshHeads(client, tableResultOf(job)?.table);
        void client.invalidateQueries({ queryKey: queryKeys.jobs });
        announceEnd(job);
      }),
    [client],
  );
}

function announceEnd(job: JobInfo): void {
  const text = describeEnd(job);
  if (text === null) return;
  if (job.state === 'failed' && location.pathname === tablesPath) {
    announce(text);
    return;
  }
  const result = tableResultOf(job);
  const hint =
    job.state === 'failed'
      ? [job.error?.detail, job.error?.hint].filter(Boolean).join(' ')
      : result?.notices?.join(' ');
  const action =
    job.state === 'done' && result
      ? { label: 'Open', run: () => goTo(tablePath(result.table)) }
      : job.state === 'failed'
        ? { label: 'Details', run: () => goTo(jobsPath) }
        : undefined;
  showToast(text, { ...(hint ? { hint } : {}), ...(action ? { action } : {}) });
}
