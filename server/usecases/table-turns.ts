import { abortedError } from '#shared/api/problem.ts';

type Start = () => void;

/** Per table: the work that runs, then those that wait. */
const queues = new Map<string, Start[]>();

/**
 * Runs `work` when every earlier work of this table is done: writers of one table take turns, in the order in which
 * they asked. Who gives up while waiting leaves the queue; work that has begun is told by its own signal only.
 * Not re-entrant: work must not ask for another turn of the same table.
 */
export async function withTableTurn<T>(
  table: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  await takeTurn(table, signal);
  try {
    return await work();
  } finally {
    passTurn(table);
  }
}

/** How many works run or wait for a table. */
export const countTurns = (table: string): number => queues.get(table)?.length ?? 0;

function takeTurn(table: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(abortedError());
  const queue = queues.get(table);
  if (!queue) {
    queues.set(table, [() => undefined]);
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const start = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      queue.splice(queue.indexOf(start), 1);
      reject(abortedError());
    };
    signal.addEventListener('abort', leave, { once: true });
    queue.push(start);
  });
}

function passTurn(table: string): void {
  const queue = queues.get(table) ?? [];
  queue.shift();
  const next = queue[0];
  if (next) next();
  else queues.delete(table);
}
