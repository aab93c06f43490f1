import { test as base, expect } from '@playwright/test';
import sharp from 'sharp';
import { openHome } from '../../server/adapters/lance/connect.ts';
import { filmBars, mp4, remux } from '../../server/testing/media-zoo-moving.ts';
import { makeTable } from '../../server/testing/tables.ts';
import { type RunningCurio, removeHome, startCurio } from '../fixtures/server.ts';

const attack = "window.pwned=1;fetch('/api/v1/session?pwned');if(window.top!==window)window.top.pwned=1;";
const html = Buffer.from(
  `<!doctype html><html><head><meta http-equiv="refresh" content="0;url=/api/v1/session?pwned"></head><body><script>${attack}</script><img src=x onerror="${attack}"><form action="/api/v1/session?pwned"><input autofocus onfocus="this.form.submit()"></form></body></html>`,
);
const svg = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" onload="${attack}"><script>${attack.replaceAll('&', '&amp;')}</script><foreignObject width="64" height="64"><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:${attack}"></iframe></foreignObject><image href="/api/v1/session?pwned" width="9" height="9"/></svg>`,
);

/** A server whose only table has the files, one a row; its console is not clean, as browsers name what they refuse. */
const test = base.extend<{ files: Record<string, Uint8Array>; curio: RunningCurio }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  files: async ({}, use) => {
    const still = sharp({ create: { width: 64, height: 64, channels: 3, background: '#0a0' } });
    const gif = await still.clone().gif().toBuffer();
    await use({
      drawing: svg,
      page: html,
      gif: Buffer.concat([Buffer.from('GIF89a/*'), gif.subarray(8), Buffer.from(`*/=1;${attack}`)]),
      jpeg: Buffer.concat([await still.clone().jpeg().toBuffer(), html]),
      mp4: await remux(mp4(false)),
      webm: await filmBars('vp8', undefined, { frames: 60 }),
    });
  },
  curio: async ({ files }, use) => {
    const curio = await startCurio();
    const values = Object.values(files).map((data) => ({ data: Buffer.from(data), uri: null }));
    await makeTable(await openHome(curio.home), 'hostile', { file: { type: 'blob', values } });
    await use(curio);
    await curio.stop();
    removeHome(curio.home);
  },
});

test('media run no script in any way of opening them; films seek by ranges', async ({
  page,
  context,
  files,
  curio,
}) => {
  const addressOf = (name: string) =>
    `${curio.url}/api/v1/tables/hostile/blobs/file/${Object.keys(files).indexOf(name)}?ref=main:1`;
  await test.step('the attack works where nothing stands in its way', async () => {
    const tab = await context.newPage();
    const body = Buffer.from(files.drawing as Uint8Array);
    await tab.route('**/control.svg', (route) => route.fulfill({ contentType: 'image/svg+xml', body }));
    await tab.goto(`${curio.url}/control.svg`);
    expect(await tab.evaluate(() => 'pwned' in globalThis)).toBe(true);
    await tab.close();
  });

  const reached: string[] = [];
  context.on('response', (response) => {
    if (response.url().includes('pwned'))
      reached.push(`${response.request().resourceType()} of ${response.frame().url()}`);
  });
  await page.goto(curio.url);

  await test.step('in frames, pictures, objects and as scripts', async () => {
    for (const name of ['drawing', 'page', 'gif', 'jpeg']) {
      const address = addressOf(name);
      await page.evaluate(async (src) => {
        const loads = ['iframe', 'img', 'script'].map((tag) => {
          const element = document.createElement(tag) as HTMLImageElement;
          element.src = src;
          document.body.append(element);
          return new Promise((resolve) => {
            element.onload = resolve;
            element.onerror = resolve;
            setTimeout(resolve, 1000);
          });
        });
        await Promise.all(loads);
      }, address);
    }
    expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
  });

  await test.step('opened directly', async () => {
    for (const name of ['drawing', 'gif', 'jpeg']) {
      const tab = await context.newPage();
      await tab.goto(addressOf(name));
      expect(await tab.evaluate(() => 'pwned' in globalThis)).toBe(false);
      expect(await tab.evaluate(() => globalThis.origin)).toBe('null');
      await tab.close();
    }
    const tab = await context.newPage();
    const download = tab.waitForEvent('download');
    await tab.goto(addressOf('page')).catch(() => undefined);
    await (await download).cancel();
    await tab.close();
  });
  expect(reached).toEqual([]);

  await test.step('films seek', async () => {
    for (const name of ['mp4', 'webm']) {
      const partial = page.waitForResponse(
        (response) => response.url().includes(addressOf(name)) && response.status() === 206,
      );
      const seeked = await page.evaluate(async (src) => {
        const video = document.createElement('video');
        video.muted = true;
        video.src = src;
        document.body.append(video);
        await new Promise((resolve, reject) => {
          video.onloadedmetadata = resolve;
          video.onerror = () => reject(new Error(video.error?.message));
        });
        const done = new Promise((resolve) => {
          video.onseeked = resolve;
        });
        video.currentTime = video.duration / 2;
        await done;
        return { at: video.currentTime / video.duration, hasFrame: video.readyState >= 2 };
      }, addressOf(name));
      await partial;
      expect(seeked.hasFrame).toBe(true);
      expect(seeked.at).toBeCloseTo(0.5, 1);
    }
  });
});
