import { workerData } from 'node:worker_threads';

const everyMs = 100;
const { maxBytes } = workerData as { maxBytes: number };

setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL');
}, everyMs);
