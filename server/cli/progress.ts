import type { JobInfo } from '#shared/api/jobs.ts';
import { formatCount } from './print.ts';

export interface ProgressLine {
  show(job: JobInfo): void;
  /** Clears what was shown. */
  end(): void;
}

const plainEveryMs = 2_000;

const formatJob = ({ message, done, total, unit, state }: JobInfo): string => {
  if (state === 'queued') return 'Waiting';
  const share = total ? ` ${Math.floor((100 * done) / total)} %` : '';
  const count =
    unit === '' ? '' : ` · ${formatCount(done)}${total === null ? '' : ` of ${formatCount(total)}`} ${unit}`;
  return `${message}${share}${count}`;
};

/** Progress on standard error: one line that is written over in a terminal, a line now and then elsewhere. */
export function createProgressLine(stream: NodeJS.WriteStream): ProgressLine {
  let shown = '';
  let shownAtMs = 0;
  return {
    show(job) {
      const text = formatJob(job);
      if (text === shown) return;
      if (stream.isTTY) stream.write(`\r\x1b[2K${text.slice(0, (stream.columns ?? 80) - 1)}`);
      else if (Date.now() - shownAtMs >= plainEveryMs) {
        stream.write(`${text}\n`);
        shownAtMs = Date.now();
      } else return;
      shown = text;
    },
    end() {
      if (stream.isTTY && shown !== '') stream.write('\r\x1b[2K');
    },
  };
}
