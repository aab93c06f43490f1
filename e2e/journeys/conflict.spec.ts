import type { Locator, Page } from '@playwright/test';
import { countRequests, expect, test } from '../fixtures/test.ts';
import { TablePage } from '../pages/table-page.ts';

const kinds = ['apple', 'pear', 'plum', 'fig'];
const csv = [
  'id,kind,grams,note',
  ...Array.from(
    { length: 60 },
    (_none, at) =>
      `f${String(at).padStart(2, '0')},${kinds[at % 4]},${100 + at * 3},a fruit that nobody weighed twice`,
  ),
].join('\n');

/** The editor of a cell: free text, a number, or text with suggestions. */
const fieldOf = (place: Page | Locator, column: string): Locator =>
  place.locator('input, textarea').and(place.getByLabel(column, { exact: true }));

/** Sets one cell by its row's text, as a person does: to the cell, `e`, type, Enter. */
async function setCell(
  page: Page,
  table: TablePage,
  { row, column, value }: Record<'row' | 'column' | 'value', string>,
) {
  const names = await table.rows.getByRole('columnheader').allTextContents();
  const at = names.findIndex((name) => name.trim().startsWith(column));
  await table.rowWith(row).first().getByRole('gridcell').nth(at).click();
  await page.keyboard.press('e');
  const field = fieldOf(page, column);
  await field.fill(value);
  await field.press('Enter');
  await expect(table.rowWith(row).first()).toContainText(value);
}

test('a table from a CSV file, two branches that change the same cells, settled and merged', async ({
  page,
  curio,
}) => {
  const requests = countRequests(page);
  const table = new TablePage(page);
  const name = `fruits-${Date.now().toString(36)}`;
  const rowsOf = async (where: string) => {
    const answer = await page.request.post(`${curio.url}/api/v1/tables/${name}/rows?format=json`, {
      data: { where, columns: ['id', 'kind', 'grams', 'note'] },
    });
    return ((await answer.json()) as { rows: Record<string, unknown>[] }).rows;
  };

  await test.step('import through the dialog', async () => {
    await page.goto('/');
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Import/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await dialog
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: 'fruits.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('textbox', { name: /^Key column/ }).fill('id');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(
      page
        .getByRole('main')
        .getByRole('link', { name: new RegExp(name) })
        .first(),
    ).toBeVisible();
    await table.open(name);
    await table.expectTotal(60);
  });

  await test.step('sort by a column', async () => {
    const header = table.rows.getByRole('columnheader', { name: /^grams/ });
    await header.click();
    await expect(header).toHaveAttribute('aria-sort', 'ascending');
    await expect(table.bodyRow(1)).toContainText('f00');
    await header.click();
    await expect(header).toHaveAttribute('aria-sort', 'descending');
    await expect(table.bodyRow(1)).toContainText('f59');
  });

  await test.step('one branch: edit cells, delete a row', async () => {
    await table.makeBranch('ana');
    await setCell(page, table, { row: 'f59', column: 'grams', value: '900' });
    await setCell(page, table, { row: 'f58', column: 'kind', value: 'quince' });
    await setCell(page, table, { row: 'f56', column: 'grams', value: '560' });
    await table.rowWith('f57').first().getByRole('gridcell').nth(1).click();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(table.rowWith('f57')).toHaveCount(0);
    await table.expectTotal(59);
  });

  await test.step('the other branch changes the same cells and lands first', async () => {
    await table.open(name, '?sort=grams:desc');
    await table.makeBranch('bo');
    await setCell(page, table, { row: 'f59', column: 'grams', value: '950' });
    await setCell(page, table, { row: 'f58', column: 'kind', value: 'medlar' });
    await page.goto(`/t/${name}/compare/bo...main`);
    await page.getByRole('region', { name: 'Changes' }).getByRole('button', { name: 'Merge' }).click();
    await expect(page.getByRole('status', { name: 'Merged' })).toContainText('Merged bo into main');
  });

  await test.step('compare: one request; nothing merges while a conflict is left', async () => {
    requests.reset();
    await page.goto(`/t/${name}/compare/ana...main`);
    const changes = page.getByRole('region', { name: 'Changes' });
    await expect(changes.getByRole('article')).toHaveCount(4);
    await expect(changes.getByRole('region', { name: 'Conflicts' })).toContainText('2 conflicts to settle');
    expect(requests.list().filter((request) => !request.endsWith('/session'))).toEqual([
      `POST /api/v1/tables/${name}/diff/rows`,
    ]);
    await expect(changes.getByRole('button', { name: 'Merge' })).toHaveAttribute('aria-disabled', 'true');
  });

  await test.step('settle one by its side, with keys, and take that back and again', async () => {
    const changes = page.getByRole('region', { name: 'Changes' });
    const left = changes.getByRole('region', { name: 'Conflicts' });
    await page.keyboard.press('n');
    await page.keyboard.press('1');
    await expect(left).toContainText('1 conflict to settle');
    await page.keyboard.press('Control+z');
    await expect(left).toContainText('2 conflicts to settle');
    await page.keyboard.press('Control+Shift+z');
    await expect(left).toContainText('1 conflict to settle');
  });

  await test.step('settle the other by a typed value; both outlive a reload', async () => {
    const changes = page.getByRole('region', { name: 'Changes' });
    const open = changes.getByRole('article', { name: /f59, modified: grams, conflict/ });
    await open.getByRole('button', { name: 'Type another value…' }).click();
    const field = fieldOf(open, 'grams');
    await field.fill('many');
    await open.getByRole('button', { name: 'Take this value' }).click();
    await expect(open.getByRole('alert')).toBeVisible();
    await field.fill('925');
    await open.getByRole('button', { name: 'Take this value' }).click();
    await expect(changes.getByRole('region', { name: 'Conflicts' })).toContainText('2 conflicts settled');
    await page.reload();
    await expect(changes.getByRole('region', { name: 'Conflicts' })).toContainText('2 conflicts settled');
  });

  await test.step('merge, and undo is at hand', async () => {
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.getByRole('button', { name: 'Merge' }).click();
    await expect(page.getByRole('status', { name: 'Merged' })).toContainText('Merged ana into main');
    expect(await rowsOf("id in ('f56', 'f57', 'f58', 'f59')")).toMatchObject([
      { id: 'f56', grams: '560' },
      { id: 'f58', kind: 'quince' },
      { id: 'f59', grams: '925' },
    ]);
    await expect(page.getByRole('button', { name: 'Take it back…' })).toBeVisible();
  });
});
