import * as z from 'zod';
import type { JobInfo } from '#shared/api/jobs.ts';
import { formatBytes, formatCount, formatDuration, formatOf } from '../../ui/format-quantity.ts';

export const isEnded = ({ state }: Pick<JobInfo, 'state'>): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled';

/** How far a job was at a moment. */
export interface ProgressSample {
  atMs: number;
  done: number;
}

const windowMs = 12_000;
const maxSamples = 60;

/** Adds a sample; keeps those of the last 12 seconds, and starts over when the job began a new phase. */
export function addSample(samples: readonly ProgressSample[], sample: ProgressSample): ProgressSample[] {
  const last = samples.at(-1);
  if (last && sample.done < last.done) return [sample];
  return [...samples.filter(({ atMs }) => sample.atMs - atMs <= windowMs), sample].slice(-maxSamples);
}

/** Units per second over the samples; `null` while it cannot be told. */
export function rateOf(samples: readonly ProgressSample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.atMs - first.atMs < 500 || last.done <= first.done) return null;
  return ((last.done - first.done) * 1000) / (last.atMs - first.atMs);
}

const formatAmount = (amount: number, unit: string): string =>
  unit === 'bytes' ? formatBytes(amount) : formatCount(Math.round(amount));

/** `1 204 of 3 000 000 rows · 120 000 rows/s · 24 s left`; what is not known is left out. */
export function formatProgress(
  { done, total, unit }: Pick<JobInfo, 'done' | 'total' | 'unit'>,
  samples: readonly ProgressSample[] = [],
): string {
  const noun = unit === 'bytes' || unit === '' ? '' : ` ${unit}`;
  const amount =
    total === null
      ? `${formatAmount(done, unit)}${noun}`
      : `${formatAmount(done, unit)} of ${formatAmount(total, unit)}${noun}`;
  const rate = rateOf(samples);
  const leftMs = rate === null || total === null ? null : ((total - done) / rate) * 1000;
  const rateText =
    rate === null ? null : `${formatAmount(rate < 10 ? Math.round(rate * 10) / 10 : rate, unit)}${noun}/s`;
  return [
    ...(done === 0 && total === null ? [] : [amount]),
    ...(rateText === null ? [] : [rateText]),
    ...(leftMs === null || leftMs < 500 ? [] : [`${formatDuration(leftMs)} left`]),
  ].join(' · ');
}

const TableResult = z.object({
  table: z.string(),
  rows: z.number().optional(),
  notices: z.array(z.string()).optional(),
});
export type TableResult = z.infer<typeof TableResult>;

/** The table that a job made or worked on; `null` for jobs without one. */
export function tableResultOf(job: Pick<JobInfo, 'result'>): TableResult | null {
  const parsed = TableResult.safeParse(job.result);
  return parsed.success ? parsed.data : null;
}

const ChecksResult = z.object({ results: z.array(z.object({ outcome: z.string() })).min(1) });

/** `2 of 3 checks pass`; `null` for a job that ran none. */
function describeChecked(job: Pick<JobInfo, 'result'>): string | null {
  const parsed = ChecksResult.safeParse(job.result);
  if (!parsed.success) return null;
  const { results } = parsed.data;
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  return `${passed} of ${formatOf(results.length, 'check')} ${passed === 1 ? 'passes' : 'pass'}`;
}

/** What an ended job is announced as; `null` for one that still runs. */
export function describeEnd(job: JobInfo): string | null {
  const result = tableResultOf(job);
  switch (job.state) {
    case 'done':
      return result?.rows === undefined
        ? `${job.title}: ${describeChecked(job) ?? 'done'}`
        : `${result.table} is ready: ${formatOf(result.rows, 'row')}`;
    case 'failed':
      return `${job.title} failed`;
    case 'cancelled':
      return `${job.title} was cancelled`;
    default:
      return null;
  }
}

/** In the order in which they come to run: those that run, then those that wait, the oldest first. */
export const queueOf = (jobs: readonly JobInfo[]): JobInfo[] =>
  jobs
    .filter((job) => !isEnded(job))
    .sort(
      (a, b) =>
        Number(a.state === 'queued') - Number(b.state === 'queued') || a.createdAt.localeCompare(b.createdAt),
    );

/** Running jobs first, then the newest. */
export const sortJobs = (jobs: readonly JobInfo[]): JobInfo[] =>
  [...jobs].sort((a, b) => Number(isEnded(a)) - Number(isEnded(b)) || b.createdAt.localeCompare(a.createdAt));
