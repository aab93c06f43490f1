import { test as base, expect, type Locator } from '@playwright/test';
import sharp from 'sharp';
import { openHome } from '../../server/adapters/lance/connect.ts';
import { stillLife, terrain, torus, writePly } from '../../server/testing/model-files.ts';
import { makeTable } from '../../server/testing/tables.ts';
import { type RunningCurio, removeHome, startCurio } from '../fixtures/server.ts';

const executablePath = process.env.CURIO_CHROMIUM ?? '/usr/bin/chromium';
/** WebGL without a graphics card. */
const args = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-quic',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

const test = base.extend<{ curio: RunningCurio }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  curio: async ({}, use) => {
    const curio = await startCurio();
    const files = [writePly(torus()), writePly(terrain(120)), (await stillLife()).glb()];
    await makeTable(await openHome(curio.home), 'shapes', {
      id: { type: 'int64', values: [1n, 2n, 3n], metadata: { 'curio:key': '1' } },
      shape: { type: 'blob', values: files.map((data) => ({ data: Buffer.from(data), uri: null })) },
    });
    await use(curio);
    await curio.stop();
    removeHome(curio.home);
  },
});
test.use({ launchOptions: { executablePath, args }, reducedMotion: 'reduce' });

/** How much of a picture is not its ground, and a small likeness of it. */
async function look(canvas: Locator): Promise<{ covered: number; likeness: string }> {
  const { data, info } = await sharp(await canvas.screenshot())
    .removeAlpha()
    .resize(32, 32, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const ground = data.subarray(0, 3);
  const pixels = Array.from({ length: info.width * info.height }, (_none, at) =>
    data.subarray(at * 3, at * 3 + 3),
  );
  const covered = pixels.filter((pixel) =>
    pixel.some((value, channel) => Math.abs(value - ground[channel]!) > 24),
  );
  return { covered: covered.length / pixels.length, likeness: data.toString('base64') };
}

test('models are turned by mouse and keys, alone and side by side, and fetch nothing', async ({
  page,
  curio,
}) => {
  const said: string[] = [];
  page.on('console', (message) => /error|warning/.test(message.type()) && said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  page.on('request', (request) => {
    if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(curio.url))
      said.push(request.url());
  });

  await test.step('one mesh', async () => {
    await page.goto(`${curio.url}/t/shapes?row=0&look=shape`);
    const canvas = page.getByRole('img', { name: 'shape: 1 152 faces · 1 152 vertices' });
    await expect(canvas).toBeVisible();
    await expect.poll(async () => (await look(canvas)).covered).toBeGreaterThan(0.1);
    const before = await look(canvas);
    await page.keyboard.press('5');
    await expect.poll(async () => (await look(canvas)).likeness).not.toBe(before.likeness);
    const above = await look(canvas);
    expect(above.covered).toBeGreaterThan(before.covered);
    await page.keyboard.press('w');
    await page.keyboard.press('w');
    await expect(page.getByRole('radio', { name: 'Wire' })).toBeChecked();
    await expect.poll(async () => (await look(canvas)).likeness).not.toBe(above.likeness);
  });

  await test.step('the next row is a cloud', async () => {
    await page.keyboard.press('j');
    await expect(page.getByRole('img', { name: 'shape: 14 400 points' })).toBeVisible();
    await expect(page.getByRole('slider', { name: 'Point size' })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('three with one camera', async () => {
    await page.getByRole('grid', { name: 'Rows' }).locator('[role="row"][aria-rowindex="1"]').click();
    for (const key of ['x', 'ArrowDown', 'x', 'ArrowDown', 'x']) await page.keyboard.press(key);
    await page.keyboard.press('Shift+V');
    const canvases = page.locator('canvas[aria-label^="shape:"]');
    await expect(canvases).toHaveCount(3);
    await expect.poll(async () => (await look(canvases.nth(2))).covered).toBeGreaterThan(0.05);
    const before = await Promise.all([0, 2].map((at) => look(canvases.nth(at))));
    const box = (await canvases.first().boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2 + 40, { steps: 3 });
    await page.mouse.up();
    for (const [index, at] of [0, 2].entries())
      await expect
        .poll(async () => (await look(canvases.nth(at))).likeness)
        .not.toBe(before[index]!.likeness);
  });
  expect(said).toEqual([]);
});
