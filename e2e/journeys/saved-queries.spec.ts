import { expect, test } from '../fixtures/test.ts';
import { SqlWorkbench } from '../pages/sql-workbench.ts';

const text = `-- %% sharp
SELECT category, sharpness FROM wonders WHERE sharpness > $min_sharpness
-- %% by_category
SELECT category, count(*) AS n FROM sharp GROUP BY ALL ORDER BY n DESC`;

test('cells and parameters, saved under a name, changed, restored, deleted, brought back', async ({
  page,
}) => {
  const sql = new SqlWorkbench(page);

  await test.step('a later cell reads an earlier one by name, with the value that was typed', async () => {
    await sql.open(text);
    await sql.region.getByRole('textbox', { name: '$min_sharpness' }).fill('0');
    await sql.button('Run cell by_category').click();
    await expect(sql.cell('by_category').getByRole('grid', { name: 'Rows' })).toContainText('animals');
    await expect(sql.cell('by_category').getByRole('status')).toContainText('wonders@main');
    await expect(sql.cell('sharp').getByRole('grid')).toHaveCount(0);
  });

  await test.step('saved, it has an address of its own', async () => {
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Save query' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Sharp wonders');
    await page.keyboard.press('Enter');
    await expect(sql.button('Saved')).toBeVisible();
    await expect(page).toHaveURL(/\/q\/[\w-]+$/);
    await expect(sql.region.getByRole('radio', { name: 'As saved' })).toBeChecked();
  });

  await test.step('what is changed is marked, saved as the next text, and can be looked back at', async () => {
    await sql.type(' AND iso IS NOT NULL');
    await expect(page.getByRole('button', { name: 'Sharp wonders (changed)', exact: false })).toBeVisible();
    await page.keyboard.press('Control+s');
    await expect(sql.button('Saved')).toBeVisible();
    await sql.more('Earlier texts…');
    const dialog = page.getByRole('dialog', { name: 'Earlier texts of “Sharp wonders”' });
    await expect(dialog).toContainText('AND iso IS NOT NULL');
    await dialog.getByRole('button', { name: 'Restore text 1' }).click();
    await expect(sql.cell('sharp')).not.toContainText('iso');
  });

  await test.step('the address opens it on the versions that it was saved with', async () => {
    await expect(page).toHaveURL(/\/q\/[\w-]+/);
    const address = page.url();
    await page.evaluate(() => localStorage.clear());
    await page.goto('/');
    await page.goto(address.replace(/\?.*/, ''));
    await expect(sql.region.getByRole('radio', { name: 'As saved' })).toBeChecked();
    await expect(sql.region.getByRole('textbox', { name: '$min_sharpness' })).toHaveValue('0');
    await sql.region.getByRole('radio', { name: 'Saved', exact: true }).click();
    await expect(sql.region.getByRole('list', { name: 'Saved queries' })).toContainText('Sharp wonders');
  });

  await test.step('deleted, it can be brought back', async () => {
    await sql.region.getByRole('button', { name: 'Actions of Sharp wonders' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(sql.region.getByText('Nothing is saved yet.', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect(sql.region.getByRole('list', { name: 'Saved queries' })).toContainText('Sharp wonders');
  });
});
