import { Worker } from 'node:worker_threads';
import { AppError, abortedError } from '#shared/api/problem.ts';
import type { IdHalves, SortTask } from './sort-task.ts';
import type { SortAnswer } from './sort-worker.ts';

/** The memory of a task, each array once. */
const buffersOf = ({ columns, ids }: SortTask): ArrayBuffer[] => {
  const values = columns.flatMap((column) => [
    ...(column.kind === 'words' ? column.words : [column.bytes, column.ends]),
    ...(column.nulls ? [column.nulls] : []),
  ]);
  return [...new Set([...values, ...(ids ?? [])].map(({ buffer }) => buffer as ArrayBuffer))];
};

const cannotSort = (cause: unknown): AppError =>
  new AppError({
    code: 'MEMORY',
    message: 'The rows could not be sorted.',
    hint: 'Filter first, so that fewer rows are sorted.',
    cause,
  });

/** A thread that sorts, one task after the other, so that other requests of the engine go on. It starts with the first. */
export class SortThread {
  #worker: Worker | null = null;

  /** Positions of the rows in order. The values of the task are given away. */
  async rows(
    task: SortTask,
    onFirst: (rows: Uint32Array) => void,
    signal: AbortSignal,
  ): Promise<Uint32Array> {
    const answer = await this.#run(task, onFirst, signal);
    if (answer.kind !== 'rows') throw cannotSort(answer.kind);
    return answer.rows;
  }

  /** The ids of the task in order. */
  async ids(task: SortTask & { ids: IdHalves }, signal: AbortSignal): Promise<IdHalves> {
    const answer = await this.#run(task, () => undefined, signal);
    if (answer.kind !== 'ids') throw cannotSort(answer.kind);
    return answer.ids;
  }

  end(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }

  #run(task: SortTask, onFirst: (rows: Uint32Array) => void, signal: AbortSignal): Promise<SortAnswer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(abortedError());
      this.#worker ??= new Worker(new URL('./sort-worker.ts', import.meta.url));
      const worker = this.#worker;
      const settle = (work: () => void) => {
        signal.removeEventListener('abort', onAbort);
        worker.off('message', onAnswer).off('error', onError);
        work();
      };
      const onAbort = () => settle(() => reject(abortedError()));
      const onError = (error: unknown) => settle(() => reject(cannotSort(error)));
      const onAnswer = (answer: SortAnswer) =>
        answer.kind === 'first' ? onFirst(answer.rows) : settle(() => resolve(answer));
      signal.addEventListener('abort', onAbort, { once: true });
      worker.on('message', onAnswer).on('error', onError);
      worker.postMessage(task, buffersOf(task));
    });
  }
}
