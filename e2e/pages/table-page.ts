import { expect, type Locator, type Page } from '@playwright/test';

/** What a person does on the page of one table. */
export class TablePage {
  readonly page: Page;
  readonly rows: Locator;
  readonly row: Locator;
  readonly branch: Locator;
  readonly truthLine: Locator;

  constructor(page: Page) {
    this.page = page;
    this.rows = page.getByRole('grid', { name: 'Rows' });
    this.row = page.getByRole('complementary', { name: 'Row' });
    this.branch = page.getByRole('combobox', { name: 'Branch' });
    this.truthLine = page.getByRole('status').filter({ hasText: /rows|row/ });
  }

  async open(table: string, search = ''): Promise<void> {
    await this.page.goto(`/t/${table}${search}`);
    await expect(this.bodyRow(1)).toBeVisible();
  }

  /** A row by its place in the result, counted from 1. */
  bodyRow(place: number): Locator {
    return this.rows.locator(`[role="row"][aria-rowindex="${place}"]`);
  }

  /** What stands in the column `title` of a row. */
  async titleAt(place: number): Promise<string> {
    const names = await this.rows.getByRole('columnheader').allTextContents();
    const at = names.findIndex((name) => name.trim().startsWith('title'));
    return ((await this.bodyRow(place).getByRole('gridcell').nth(at).textContent()) ?? '').trim();
  }

  /** The row whose text holds `text`. */
  rowWith(text: string): Locator {
    return this.rows.getByRole('row').filter({ hasText: text });
  }

  async expectTotal(rows: number): Promise<void> {
    await expect(this.rows).toHaveAttribute('aria-rowcount', String(rows));
  }

  async search(text: string): Promise<void> {
    const box = this.page.getByRole('searchbox', { name: 'Search' });
    await box.fill(text);
    await box.press('Enter');
  }

  async switchBranch(name: string): Promise<void> {
    await this.branch.click();
    await this.page
      .getByRole('option', { name: new RegExp(`^${name}\\b`) })
      .first()
      .click();
    await expect(this.branch).toContainText(name);
  }

  async makeBranch(name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'New branch', exact: true }).click();
    const dialog = this.page.getByRole('dialog', { name: 'New branch' });
    await dialog.getByRole('textbox', { name: /name/i }).fill(name);
    await dialog.getByRole('button', { name: /make|create/i }).click();
    await expect(dialog).toBeHidden();
    await expect(this.branch).toContainText(name);
  }
}
