import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { countRequests, expect, test } from '../fixtures/test.ts';
import { TablePage } from '../pages/table-page.ts';

const branch = 'mend-glosses';
const newGloss = 'a tool with jaws for gripping';

const expectAccessible = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).exclude('.monaco-editor').analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
  ).toEqual([]);
};

test('find wrong rows, mend them on a branch, compare, merge', async ({ page, curio }) => {
  const requests = countRequests(page);
  const table = new TablePage(page);

  await test.step('open the app: one request', async () => {
    await page.goto('/');
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await expect(page.getByRole('link', { name: /^wonders/ }).first()).toBeVisible();
    expect(requests.list()).toEqual(['GET /api/v1/session']);
    await expectAccessible(page);
  });

  await test.step('open a table: two requests', async () => {
    requests.reset();
    await page
      .getByRole('main')
      .getByRole('link', { name: /wonders/ })
      .first()
      .click();
    await table.expectTotal(218);
    await expect(table.bodyRow(1).getByRole('img').first()).toBeVisible();
    expect(requests.list().filter((request) => request !== 'GET /api/v1/session')).toHaveLength(2);
    await expectAccessible(page);
  });

  await test.step('walk by keys; the inspector follows', async () => {
    requests.reset();
    const title = await table.titleAt(2);
    await table.bodyRow(1).getByRole('gridcell').nth(2).click();
    await page.keyboard.press('Enter');
    await expect(table.row).toContainText(await table.titleAt(1));
    await page.keyboard.press('ArrowDown');
    await expect(table.row).toContainText(title);
    await expect(table.row.getByRole('img').first()).toBeVisible();
    expect(requests.list().length).toBeLessThanOrEqual(2);
  });

  await test.step('similar rows', async () => {
    const similar = table.row.getByRole('region', { name: 'Similar rows' });
    if ((await similar.getByRole('button', { expanded: false }).count()) > 0)
      await similar.getByRole('button', { expanded: false }).first().click();
    await expect(similar.getByRole('listitem').first()).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('search text, then leave the search', async () => {
    await table.search('pliers');
    await expect(table.truthLine.first()).toContainText(/score/);
    await expect(table.rows).not.toHaveAttribute('aria-rowcount', '218');
    await page.getByRole('searchbox', { name: 'Search' }).clear();
    await page.getByRole('searchbox', { name: 'Search' }).press('Enter');
    await table.expectTotal(218);
  });

  await test.step('filter with SQL; a wrong name is shown at its place', async () => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Filter' });
    await dialog.getByRole('radio', { name: 'SQL' }).click();
    const predicate = dialog.getByRole('textbox', { name: 'SQL condition' });
    await predicate.fill("concpt = 'pliers'");
    await expect(dialog).toContainText(/concpt.*concept/s);
    await predicate.fill("concept = 'pliers'");
    await dialog.getByRole('button', { name: 'Add' }).click();
    await table.expectTotal(4);
  });

  await test.step('back, forward and the link restore it', async () => {
    const address = page.url();
    await page.goBack();
    await table.expectTotal(218);
    await page.goForward();
    await table.expectTotal(4);
    await page.goto(address);
    await table.expectTotal(4);
  });

  await test.step('main is protected: the edit goes on on a new branch', async () => {
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: /Set value/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Set value' });
    await dialog.getByRole('combobox', { name: 'Column' }).click();
    await page.getByRole('option', { name: /^gloss/ }).click();
    await dialog.getByRole('textbox', { name: 'Value' }).fill(newGloss);
    await dialog.getByRole('button', { name: /^Set/ }).click();
    const first = page.getByRole('dialog', { name: 'main is protected' });
    await first.getByRole('textbox', { name: 'Name of the branch' }).fill(branch);
    requests.reset();
    await first
      .getByRole('button', { name: /create|make|continue/i })
      .last()
      .click();
    await expect(table.branch).toContainText(branch);
    await expect(table.rowWith(newGloss)).toHaveCount(4);
    expect(requests.list().filter((request) => request.includes('/edits'))).toHaveLength(1);
  });

  await test.step('undo and redo', async () => {
    await page.keyboard.press('Control+z');
    await expect(table.rowWith(newGloss)).toHaveCount(0);
    await page.keyboard.press('Control+Shift+z');
    await expect(table.rowWith(newGloss)).toHaveCount(4);
  });

  await test.step('compare: one request, old and new side by side', async () => {
    requests.reset();
    await page
      .getByRole('link', { name: /Compare/ })
      .first()
      .click();
    const changes = page.getByRole('region', { name: 'Changes' });
    await expect(changes.getByRole('article')).toHaveCount(4);
    await expect(changes).toContainText('someone who plies a trade');
    await expect(changes).toContainText(newGloss);
    expect(requests.list()).toEqual(['POST /api/v1/tables/wonders/diff/rows']);
    await expectAccessible(page);
  });

  await test.step('merge: plan and apply', async () => {
    requests.reset();
    await page.getByRole('region', { name: 'Changes' }).getByRole('button', { name: 'Merge' }).click();
    await expect(page.getByRole('main')).toContainText(/merged/i);
    expect(requests.list().filter((request) => request.endsWith('/merge')).length).toBeLessThanOrEqual(2);
    const answer = await page.request.post(`${curio.url}/api/v1/tables/wonders/count`, {
      data: { where: `gloss = '${newGloss}'` },
    });
    expect(await answer.json()).toMatchObject({ rows: 4, ref: { branch: 'main' } });
  });

  await test.step('history tells it', async () => {
    await page.goto('/t/wonders?view=history');
    await expect(page.getByRole('main')).toContainText(branch);
    await page.keyboard.press('j');
    const version = page.getByRole('complementary', { name: 'Version' });
    await expect(version.getByRole('row', { name: /gloss\s*4/ })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a cell tells who set it, through the merge', async () => {
    await page.goto(`/t/wonders?where=${encodeURIComponent(`gloss = '${newGloss}'`)}`);
    await table.bodyRow(1).getByRole('gridcell').nth(2).click();
    await page.keyboard.press('Enter');
    await table.row.getByText(newGloss).hover();
    await table.row.getByRole('button', { name: 'History of gloss' }).click();
    const history = page.getByRole('list', { name: 'History of gloss' });
    await expect(history.getByRole('region', { name: `On ${branch}` })).toContainText(`${branch}:`);
    await expect(history).toContainText('someone who plies a trade');
    await page.keyboard.press('Escape');
    await page.keyboard.press('h');
    await expect(table.row.getByRole('region', { name: 'Row history' })).toContainText(newGloss);
    await expectAccessible(page);
  });

  await test.step('ask in SQL, in the browser, with another ref', async () => {
    await page.goto('/sql');
    const sql = page.getByRole('region', { name: 'SQL' });
    await sql.getByRole('textbox', { name: /SQL/ }).click();
    await page.keyboard.insertText(
      `SELECT a.id, a.image, b.gloss AS was FROM wonders a JOIN "wonders@main:2" b USING (id) WHERE a.gloss <> b.gloss`,
    );
    await sql.getByRole('button', { name: 'Run' }).click();
    const result = sql.getByRole('grid', { name: 'Rows' });
    await expect(result).toHaveAttribute('aria-rowcount', '4');
    await expect(result.getByRole('img').first()).toBeVisible();
    await expect(sql.getByRole('status').first()).toContainText(/browser|server/);
  });
});

test('the gallery shows the same rows', async ({ page }) => {
  await page.goto(`/t/wonders?view=gallery&where=${encodeURIComponent("category = 'animals'")}`);
  const gallery = page.getByRole('list', { name: 'Gallery' });
  await expect(gallery.getByRole('listitem').first()).toBeVisible();
  await expect(page.getByRole('status').first()).toContainText('29');
});

test('lines of the gallery follow each other without a gap', async ({ page }) => {
  await page.goto('/t/wonders?view=gallery');
  const gallery = page.getByRole('list', { name: 'Gallery' });
  const lines = () =>
    gallery.getByRole('listitem').evaluateAll((tiles) => {
      const bottoms = new Map<number, number>();
      for (const { top, bottom } of tiles.map((tile) => tile.getBoundingClientRect()))
        bottoms.set(top, Math.max(bottom, bottoms.get(top) ?? 0));
      return [...bottoms].sort(([a], [b]) => a - b);
    });
  await expect.poll(async () => (await lines()).length).toBeGreaterThan(8);
  const widestGap = async () => {
    const all = await lines();
    return Math.max(...all.slice(1).map(([top], at) => top - (all[at]?.[1] ?? 0)));
  };
  await expect.poll(widestGap).toBeLessThan(24);
});
