import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { judge, type Result } from './harness.ts';
import { treeBytes } from './media-http.ts';
import { skip } from './media-peers.ts';
import { makeBlobTable, makePhotos, variantOf } from './media-tables.ts';
import { startBenchServer } from './server.ts';

const pictures = 100_000;
const scrollMs = 10_000;
const chromiumPath = process.env.CURIO_CHROMIUM ?? '/usr/bin/chromium';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Tasks of the main thread of pages, by their own CPU and by the clock. */
function tasksOf(trace: string): { cpuMs: number; wallMs: number }[] {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}.${tid}`;
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  return traceEvents
    .filter((event) => event.name === 'RunTask' && main.has(threadOf(event)))
    .map(({ dur = 0, tdur = dur }) => ({ cpuMs: tdur / 1000, wallMs: dur / 1000 }));
}

/** Scrolls a gallery of 100,000 pictures for ten seconds, as a hand on a wheel does. */
export async function benchGallery(home: string): Promise<Result[]> {
  if (!existsSync(chromiumPath)) return skip('the gallery', `there is no ${chromiumPath}`);
  const photos = await makePhotos(100, 96, 64);
  await makeBlobTable(home, 'gallery', pictures, (row) =>
    variantOf(photos[row % photos.length] as Buffer, row),
  );
  const server = await startBenchServer(home);
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`http://127.0.0.1:${server.port}/t/gallery?view=gallery`);
    const list = page.getByRole('list', { name: 'Gallery' });
    await list.getByRole('listitem').first().waitFor();
    await page.waitForTimeout(1500);
    await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
    const box = await list.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 300);
    let peakBytes = 0;
    let wheels = 0;
    for (const until = Date.now() + scrollMs; Date.now() < until; wheels++) {
      await page.mouse.wheel(0, wheels % 40 === 39 ? 20_000 : 240);
      await page.waitForTimeout(30);
      if (wheels % 10 === 0) peakBytes = Math.max(peakBytes, treeBytes(server.pid));
    }
    const tasks = tasksOf((await browser.stopTracing()).toString('utf8'));
    const longest = Math.max(0, ...tasks.map(({ cpuMs }) => cpuMs));
    const slowest = Math.max(0, ...tasks.map(({ wallMs }) => wallMs));
    const one = (name: string, unit: string, ours: number, peer: number, note: string): Result => {
      const ratio = ours / peer;
      return judge(
        { name, unit, limit: 1, direction: 'atMost' },
        { ratio, interval: [ratio, ratio], ours, peer, note },
      );
    };
    return [
      one(
        'a gallery of 100,000 pictures scrolled for 10 s',
        'ms of its own CPU of the longest task of the main thread / 50 ms',
        longest,
        50,
        `${tasks.length} tasks, the longest ${slowest.toFixed(0)} ms by the clock; ${wheels} turns of the wheel`,
      ),
      one(
        'memory of the server and its engines meanwhile',
        'MB / 1,074 MB',
        peakBytes / 1e6,
        1073.7,
        'one run',
      ),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}
