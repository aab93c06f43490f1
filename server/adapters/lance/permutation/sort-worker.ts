import { parentPort, workerData } from 'node:worker_threads';
import { runSort, type SortTask } from './sort-task.ts';

/** What the sorting thread answers: perhaps the first rows ahead, then the whole order. */
export type SortAnswer = { kind: 'first' | 'all'; rows: Uint32Array };

const answer = (value: SortAnswer): void =>
  parentPort?.postMessage(value, [value.rows.buffer as ArrayBuffer]);
answer({ kind: 'all', rows: runSort(workerData as SortTask, (rows) => answer({ kind: 'first', rows })) });
