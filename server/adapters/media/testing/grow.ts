import { guardMemory } from '../memory-guard.ts';

guardMemory(Number(process.argv[2]));
const kept: Buffer[] = [];
// The guard begins a moment after the process; then this thread is busy until it ends.
setTimeout(() => {
  const until = performance.now() + 20_000;
  while (performance.now() < until) {
    if (kept.length < 40) kept.push(Buffer.alloc(16 * 2 ** 20, 1));
  }
}, 300);
