import { parentPort } from 'node:worker_threads';
import { type IdHalves, pickWords, runSort, type SortTask } from './sort-task.ts';

/** What the sorting thread answers: perhaps the first rows ahead, then the whole order, as ids where the task has them. */
export type SortAnswer = { kind: 'first' | 'rows'; rows: Uint32Array } | { kind: 'ids'; ids: IdHalves };

const answer = (value: SortAnswer): void => {
  const arrays = value.kind === 'ids' ? value.ids : [value.rows];
  parentPort?.postMessage(
    value,
    arrays.map(({ buffer }) => buffer as ArrayBuffer),
  );
};

parentPort?.on('message', (task: SortTask) => {
  const rows = runSort(task, (first) => answer({ kind: 'first', rows: first }));
  if (!task.ids) return answer({ kind: 'rows', rows });
  const [high, low] = task.ids;
  return answer({ kind: 'ids', ids: [pickWords(high, rows), pickWords(low, rows)] });
});
