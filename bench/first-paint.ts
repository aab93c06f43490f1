import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';
import { comparePairs, type Result } from './harness.ts';
import { startBenchServer } from './server.ts';

const chromiumPath = process.env.CURIO_CHROMIUM ?? '/usr/bin/chromium';

/** From the beginning of the navigation to the frame after the first row with text, in a browser without a cache. */
async function firstPaint(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const found = () =>
        document.querySelector(
          '[role="grid"] [role="row"][aria-rowindex="1"] [role="gridcell"]:nth-child(2)',
        );
      const look = () => {
        if (!found()?.textContent) return requestAnimationFrame(look);
        return requestAnimationFrame(() => performance.mark('curio-first-rows'));
      };
      requestAnimationFrame(look);
    });
    await page.goto(address);
    const mark = await page.waitForFunction(
      () => performance.getEntriesByName('curio-first-rows')[0]?.startTime ?? null,
    );
    return (await mark.jsonValue()) as number;
  } finally {
    await context.close();
  }
}

/** The first page of a large table against that of a small one, in a real browser. */
export async function measureFirstPaint(home: string, large: string, small: string): Promise<Result[]> {
  if (!existsSync(chromiumPath)) {
    process.stdout.write(`– first painted page: skipped, there is no ${chromiumPath}\n`);
    return [];
  }
  const server = await startBenchServer(home);
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const paint = (table: string) => firstPaint(browser, `http://127.0.0.1:${server.port}/t/${table}`);
  try {
    return [
      await comparePairs(
        {
          name: 'first painted page, 100 M rows',
          unit: 'ms from the navigation / ms of the same at 1 M',
          limit: 1.5,
          direction: 'atMost',
        },
        { ours: () => paint(large), peer: () => paint(small), pairs: 15 },
      ),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}
