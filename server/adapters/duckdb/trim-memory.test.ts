import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const megabyte = 1024 * 1024;

/** In a process of its own with the allocator of the engines, which keeps what is freed. */
const program = `
  import { trimMemory } from ${JSON.stringify(new URL('./trim-memory.ts', import.meta.url).href)};
  const parts = Array.from({ length: 4000 }, () => Buffer.allocUnsafeSlow(100_000).fill(1));
  const kept = parts.filter((_part, at) => at % 400 === 0);
  parts.length = 0;
  for (let i = 0; i < 3; i++) { gc(); await new Promise((resolve) => setTimeout(resolve, 20)); }
  const before = process.memoryUsage.rss();
  await trimMemory();
  console.log(JSON.stringify([before, process.memoryUsage.rss(), kept.length]));
`;

const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };

test.runIf(header.glibcVersionRuntime !== undefined)(
  'freed memory goes back to the system, though parts of it are still in use',
  async () => {
    const { stdout } = await run(
      process.execPath,
      ['--expose-gc', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
      { env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '1073741824', MALLOC_TRIM_THRESHOLD_: '2147483648' } },
    );
    const [before, after] = JSON.parse(stdout) as [number, number];
    expect(before - after).toBeGreaterThan(200 * megabyte);
  },
);
