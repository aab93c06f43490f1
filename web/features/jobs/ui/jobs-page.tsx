import { CircleAlert, CircleCheck, CircleDashed, CircleSlash, ListTodo, Loader } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { JobInfo } from '#shared/api/jobs.ts';
import { tablePath, tablesPath } from '../../../state/addresses.ts';
import { formatAgo, formatDuration, formatMoment, formatOf } from '../../../ui/format-quantity.ts';
import { cx, EmptyState, ErrorNote, Note, Page, PageTitle, Skeleton, TruthLine } from '../../../ui/index.ts';
import { isEnded, tableResultOf } from '../model.ts';
import { useJobs } from '../queries.ts';
import { JobProgress } from './job-progress.tsx';
import styles from './jobs-page.module.css';

const glyphs: Record<JobInfo['state'], { icon: ReactNode; word: string }> = {
  queued: { icon: <CircleDashed />, word: 'Waiting' },
  running: { icon: <Loader />, word: 'Running' },
  done: { icon: <CircleCheck />, word: 'Done' },
  failed: { icon: <CircleAlert />, word: 'Failed' },
  cancelled: { icon: <CircleSlash />, word: 'Cancelled' },
};

/** Long work: what runs now, and what came of the rest. */
export function JobsPage() {
  const { jobs, isPending, error, refetch } = useJobs();
  const running = jobs.filter((job) => !isEnded(job)).length;
  const truth = isPending ? null : (
    <TruthLine parts={[formatOf(jobs.length, 'job'), running > 0 && `${running} running or waiting`]} />
  );
  return (
    <Page bar={<PageTitle>Jobs</PageTitle>} truth={truth} isDocument>
      <ErrorNote error={error} title="The jobs cannot be shown." onRetry={() => void refetch()} />
      {isPending && <Skeleton height={64} />}
      {!isPending && !error && jobs.length === 0 && (
        <EmptyState
          icon={<ListTodo />}
          title="Nothing runs"
          action={<Link href={tablesPath}>Import something on the tables page</Link>}
        >
          Imports and index builds run here, and go on when you walk away.
        </EmptyState>
      )}
      <ul className={styles.jobs} aria-label="Jobs">
        {jobs.map((job) => (
          <JobItem key={job.id} job={job} />
        ))}
      </ul>
    </Page>
  );
}

function JobItem({ job }: { job: JobInfo }) {
  const { icon, word } = glyphs[job.state];
  const result = tableResultOf(job);
  const lastedMs = Date.parse(job.updatedAt) - Date.parse(job.createdAt);
  return (
    <li className={styles.job} aria-label={job.title}>
      <span className={cx(styles.glyph, styles[job.state])}>
        {icon}
        <span className="visually-hidden">{word}</span>
      </span>
      <div className={styles.body}>
        <div className={styles.head}>
          <h2 className={styles.title}>{job.title}</h2>
          <span className={styles.facts} title={formatMoment(job.createdAt)}>
            {isEnded(job)
              ? `${word.toLowerCase()} ${formatAgo(job.updatedAt)} · took ${formatDuration(lastedMs)}`
              : word.toLowerCase()}
          </span>
        </div>
        {!isEnded(job) && <JobProgress job={job} />}
        {job.state === 'failed' && job.error && (
          <div className={styles.error}>
            <p>{job.error.detail}</p>
            {job.error.hint && <p className={styles.hint}>{job.error.hint}</p>}
          </div>
        )}
        {job.state === 'done' && result && (
          <p className={styles.result}>
            <Link href={tablePath(result.table)}>Open {result.table}</Link>
            {result.rows !== undefined && <span>{formatOf(result.rows, 'row')}</span>}
          </p>
        )}
        {result?.notices?.map((notice) => (
          <Note key={notice}>{notice}</Note>
        ))}
      </div>
    </li>
  );
}
