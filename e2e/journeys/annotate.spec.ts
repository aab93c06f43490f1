import { readFile } from 'node:fs/promises';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, test } from '../fixtures/test.ts';

const table = 'boxes';
const objects = [
  { bbox: [40, 30, 60, 50], category: 'cat' },
  { bbox: [150, 90, 40, 40], category: 'dog' },
];

/** Three pictures with two boxes each, as a folder of media is imported. */
async function importBoxes(url: string): Promise<void> {
  const form = new FormData();
  form.set('name', table);
  const lines: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const picture = await sharp({ create: { width: 240, height: 160, channels: 3, background: '#667' } })
      .png()
      .toBuffer();
    form.append('file', new Blob([new Uint8Array(picture)]), `pictures/${name}.png`);
    lines.push(JSON.stringify({ file_name: `${name}.png`, name, objects }));
  }
  form.append('file', new Blob([lines.join('\n')]), 'pictures/metadata.jsonl');
  const { job } = (await (await fetch(`${url}/api/v1/tables`, { method: 'POST', body: form })).json()) as {
    job: { id: string };
  };
  await expect
    .poll(
      async () => ((await (await fetch(`${url}/api/v1/jobs/${job.id}`)).json()) as { state: string }).state,
    )
    .toBe('done');
}

/** The left edge of the first box of the first row. */
async function leftEdge(url: string, ref: string): Promise<number> {
  const response = await fetch(
    `${url}/api/v1/tables/${table}/rows?format=json&q=${encodeURIComponent(JSON.stringify({ ref, where: "name = 'one'" }))}`,
  );
  const { rows } = (await response.json()) as { rows: { objects: { bbox: number[] }[] }[] };
  return Number(rows[0]?.objects[0]?.bbox[0]);
}

const drawn = (page: Page) =>
  page.getByRole('region', { name: 'Viewer' }).getByRole('img', { name: /^\d+ annotations?$/ });

test('look at boxes, toggle classes, move one by keyboard on a branch, undo', async ({ page, curio }) => {
  await importBoxes(curio.url);

  await test.step('a double click in the gallery opens the viewer', async () => {
    await page.goto(`/t/${table}?view=gallery&where=${encodeURIComponent("name = 'one'")}`);
    await page.getByRole('list', { name: 'Gallery' }).getByRole('listitem').first().dblclick();
    await expect(page.getByRole('region', { name: 'Viewer' })).toBeVisible();
    await expect(drawn(page)).toHaveAccessibleName('2 annotations');
    const { violations } = await new AxeBuilder({ page }).include('section[aria-label="Viewer"]').analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ).toEqual([]);
  });

  await test.step('classes are toggled', async () => {
    const cat = page.getByRole('region', { name: 'Classes' }).getByRole('checkbox', { name: 'cat' });
    await cat.click();
    await expect(drawn(page)).toHaveAccessibleName('1 annotation');
    await cat.click();
    await expect(drawn(page)).toHaveAccessibleName('2 annotations');
  });

  await test.step('a box is moved by keys; the protected branch offers another first', async () => {
    await page.getByRole('region', { name: 'Viewer' }).press('e');
    await page.keyboard.press(']');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await expect(page.getByText('3 changes')).toBeVisible();
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'main is protected' });
    await dialog.getByRole('textbox').fill('move-boxes');
    await dialog.getByRole('button', { name: 'Make a branch and continue' }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/ref=move-boxes/);
    await expect(page.getByRole('region', { name: 'Viewer' })).toBeVisible();
    expect([await leftEdge(curio.url, 'move-boxes'), await leftEdge(curio.url, 'main')]).toEqual([52, 40]);
  });

  await test.step('one undo takes the edit back', async () => {
    await page.keyboard.press('Control+z');
    await expect.poll(() => leftEdge(curio.url, 'move-boxes')).toBe(40);
    await page.keyboard.press('e');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: 'Viewer' })).toBeHidden();
    await expect(page.getByRole('list', { name: 'Gallery' })).toBeVisible();
  });
});

const films = 'films';

/** A video with boxes on frames 0 and 10. */
async function importFilm(url: string): Promise<void> {
  const film = await readFile(new URL('../../demo/clips/video/cup.mp4', import.meta.url));
  const boxes = [0, 10].map((frame) => ({ frame, bbox: [40, 30, 60, 50], category: 'cup', track_id: 7 }));
  const form = new FormData();
  form.set('name', films);
  form.append('file', new Blob([new Uint8Array(film)]), 'films/cup.mp4');
  form.append('file', new Blob([JSON.stringify({ file_name: 'cup.mp4', boxes })]), 'films/metadata.jsonl');
  const { job } = (await (await fetch(`${url}/api/v1/tables`, { method: 'POST', body: form })).json()) as {
    job: { id: string };
  };
  await expect
    .poll(
      async () => ((await (await fetch(`${url}/api/v1/jobs/${job.id}`)).json()) as { state: string }).state,
    )
    .toBe('done');
}

async function boxesOf(url: string, ref: string) {
  const query = encodeURIComponent(JSON.stringify({ ref }));
  const response = await fetch(`${url}/api/v1/tables/${films}/rows?format=json&q=${query}`);
  const { rows } = (await response.json()) as {
    rows: { boxes: { frame: string | number; bbox: (string | number)[]; track_id: string | number }[] }[];
  };
  return rows[0]?.boxes.map(({ frame, bbox, track_id }) => [frame, bbox[0], track_id].map(Number));
}

test('boxes of a video are walked, moved and repeated on the frame that is shown', async ({
  page,
  curio,
}) => {
  await importFilm(curio.url);
  await page.goto(`/t/${films}?view=gallery`);
  await page.getByRole('list', { name: 'Gallery' }).getByRole('listitem').first().dblclick();
  const viewer = page.getByRole('region', { name: 'Viewer' });
  const frame = viewer.getByRole('region', { name: 'Frame' });
  await expect(drawn(page)).toHaveAccessibleName('1 annotation');
  await viewer.press('e');
  await page.keyboard.press('.');
  await expect(frame).toContainText('Frame 1');
  await expect(drawn(page)).toHaveAccessibleName('0 annotations');
  await page.keyboard.press('r');
  await expect(drawn(page)).toHaveAccessibleName('1 annotation');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('}');
  await expect(frame).toContainText('Frame 10');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'main is protected' });
  await dialog.getByRole('textbox').fill('frames');
  await dialog.getByRole('button', { name: 'Make a branch and continue' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/ref=frames/);
  expect(await boxesOf(curio.url, 'frames')).toEqual([
    [0, 40, 7],
    [10, 40, 7],
    [1, 50, 7],
  ]);
  expect(await boxesOf(curio.url, 'main')).toHaveLength(2);
});
