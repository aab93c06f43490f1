import type { JobInfo } from '#shared/api/jobs.ts';
import { AppError } from '#shared/api/problem.ts';
import { isSet } from '../parse-command.ts';
import { createProgressLine } from '../progress.ts';
import type { RunContext } from './run-context.ts';

/** Follows a job to its end; Ctrl-C cancels it and waits for that. */
export async function followToEnd(
  { client, err, signal, command }: RunContext,
  id: string,
): Promise<JobInfo> {
  const progress = createProgressLine(err);
  const cancel = () => void client.send('cancelJob', { params: { id } }).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  let last: JobInfo | null = null;
  try {
    for await (const job of client.followJob(id, new AbortController().signal)) {
      last = job;
      if (!isSet(command, 'json')) progress.show(job);
    }
  } finally {
    progress.end();
    signal.removeEventListener('abort', cancel);
  }
  if (last) return last;
  throw new AppError({
    code: 'UPSTREAM',
    message: 'The server said nothing about the job.',
    hint: 'Is it still running?',
  });
}
