import { expect, test, vi } from 'vitest';
import { IdleMemory } from './idle-memory.ts';

const megabyte = 1024 * 1024;

test('what grew is given back once nothing is left to do, and then the size is told', async () => {
  const told: number[] = [];
  let rss = 1000 * megabyte;
  const sizes = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => rss);
  let trims = 0;
  let isBusy = true;
  const memory = new IdleMemory({
    trim: async () => {
      trims += 1;
      rss = 300 * megabyte;
    },
    tell: (bytes) => told.push(bytes),
    isBusy: () => isBusy,
    idleMs: 5,
  });
  try {
    memory.settle();
    isBusy = false;
    memory.settle();
    await expect.poll(() => told).toEqual([300 * megabyte]);
    rss += 10 * megabyte;
    memory.settle();
    await expect.poll(() => told).toEqual([300 * megabyte, 310 * megabyte]);
    expect(trims).toBe(1);
    rss = 100 * megabyte;
    memory.settle();
    await expect.poll(() => told.at(-1)).toBe(0);
  } finally {
    sizes.mockRestore();
  }
});
