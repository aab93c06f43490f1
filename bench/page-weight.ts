import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { judge, type Result } from './harness.ts';

const limitBytes = 350_000;
const limitRequests = 3;
const chromiumPath = process.env.CURIO_CHROMIUM ?? '/usr/bin/chromium';

/** What a browser with an empty cache reads until the first rows of a table are painted. */
export async function benchPageWeight(port: number, table: string): Promise<Result[]> {
  if (!existsSync(chromiumPath)) {
    process.stdout.write(`– page weight: skipped, there is no ${chromiumPath}\n`);
    return [];
  }
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`http://127.0.0.1:${port}/t/${table}`);
    await page.locator('[role="grid"] [role="row"][aria-rowindex="1"]').waitFor();
    const before = requests.filter((path) => path.startsWith('/api/'));
    const bytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    );
    const exact = (ours: number, peer: number) => ({
      ratio: ours / peer,
      interval: [ours / peer, ours / peer] as [number, number],
      ours,
      peer,
    });
    return [
      judge(
        {
          name: 'JavaScript before the first rows',
          unit: 'compressed bytes / 350 kB',
          limit: 1,
          direction: 'atMost',
        },
        exact(bytes, limitBytes),
      ),
      judge(
        { name: 'requests before the first rows', unit: 'requests / 3', limit: 1, direction: 'atMost' },
        exact(before.length, limitRequests),
      ),
    ];
  } finally {
    await browser.close();
  }
}
