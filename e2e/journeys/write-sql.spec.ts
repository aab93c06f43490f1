import { expect, test } from '../fixtures/test.ts';
import { SqlWorkbench } from '../pages/sql-workbench.ts';

test('a column dragged from the tree, a value from the list, a ref that is gone put right', async ({
  page,
}) => {
  const sql = new SqlWorkbench(page);

  await test.step('a column is dropped where the pointer is', async () => {
    await sql.open('SELECT  FROM wonders');
    await sql.button('Columns of wonders').click();
    const column = sql.region
      .getByRole('list', { name: 'Columns of wonders' })
      .getByText('category', { exact: true });
    const gap = page.locator('.view-line').getByText('SELECT', { exact: true });
    const box = await gap.boundingBox();
    if (!box) throw new Error('The statement is not there.');
    const words = page.locator('.view-lines');
    const lines = await words.boundingBox();
    await column.dragTo(words, {
      targetPosition: {
        x: box.x - (lines?.x ?? 0) + box.width + 8,
        y: box.y - (lines?.y ?? 0) + box.height / 2,
      },
    });
    await expect(page.locator('.view-line')).toHaveText('SELECT category FROM wonders');
  });

  await test.step('values of the column are offered behind the sign', async () => {
    await sql.type(" WHERE category = 'too");
    await page.keyboard.press('Control+Space');
    await page.locator('.suggest-widget').getByText('tools', { exact: true }).click();
    await expect(page.locator('.view-line')).toHaveText(
      "SELECT category FROM wonders WHERE category = 'tools'",
    );
    await sql.button('Run').click();
    await expect(sql.region.getByRole('grid', { name: 'Rows' })).toContainText('tools');
    await expect(sql.status).toContainText('38 rows');
  });

  await test.step('a version that is gone is changed in the text, and it runs', async () => {
    await sql.open('SELECT count(*) AS n FROM "wonders@main:1"');
    await sql.button('Run').click();
    const alert = sql.region.getByRole('alert');
    await expect(alert).toContainText('cleaned up');
    await alert.getByRole('button', { name: 'Read wonders in place of “wonders@main:1”' }).click();
    await expect(page.locator('.view-line')).toHaveText('SELECT count(*) AS n FROM wonders');
    await expect(sql.region.getByRole('grid', { name: 'Rows' })).toContainText('218');
  });
});
