import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '../fixtures/test.ts';
import { TablePage } from '../pages/table-page.ts';

const countOf = async (url: string, where: string): Promise<number> => {
  const response = await fetch(`${url}/api/v1/tables/flights/count`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ where }),
  });
  return ((await response.json()) as { rows: number }).rows;
};

test('a brush on three million flights narrows rows, counts and charts alike', async ({ page, curio }) => {
  const table = new TablePage(page);
  await table.open('flights');
  await page.keyboard.press('Shift+F');
  const delay = page.getByRole('slider', { name: 'Brush delay' });
  await expect(page.getByRole('status', { name: 'Scope of the facets' })).toContainText('exact');

  const box = (await delay.boundingBox())!;
  const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const;
  await page.mouse.move(...at(0.4));
  await page.mouse.down();
  await page.mouse.move(...at(0.5), { steps: 4 });
  await page.mouse.move(...at(0.7), { steps: 4 });
  await page.mouse.up();
  const where = () => new URL(page.url()).searchParams.get('where') ?? '';
  await expect.poll(where).toMatch(/^delay between \d+ and \d+$/);
  const rows = await countOf(curio.url, where());
  expect(rows).toBeGreaterThan(0);
  await table.expectTotal(rows);

  await page.getByRole('checkbox', { name: /^ORD/ }).first().click();
  await expect(page.getByRole('button', { name: 'Clear origin' })).toBeVisible();
  await table.expectTotal(await countOf(curio.url, `${where()} and origin = 'ORD'`));
  await page.getByRole('button', { name: 'Clear origin' }).click();
  await table.expectTotal(rows);

  const facets = await new AxeBuilder({ page }).include('aside[aria-label="Facets"]').analyze();
  expect(facets.violations.map(({ id }) => id)).toEqual([]);

  await page.getByRole('radio', { name: 'Chart' }).click();
  const chart = page.getByRole('region', { name: 'Chart' });
  await expect(chart.locator('canvas')).toBeVisible();
  await page.getByRole('radio', { name: 'Profile' }).click();
  await expect(page.getByRole('region', { name: 'delay' })).toContainText('Median');
});
