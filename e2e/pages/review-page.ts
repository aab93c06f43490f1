import { expect, type Locator, type Page } from '@playwright/test';

/** What a person does on the page of one review. */
export class ReviewPage {
  readonly page: Page;
  readonly merge: Locator;
  readonly checks: Locator;
  readonly conversation: Locator;
  readonly changes: Locator;

  constructor(page: Page) {
    this.page = page;
    this.merge = page.getByRole('region', { name: 'Merge' });
    this.checks = page.getByRole('region', { name: 'Checks' });
    this.conversation = page.getByRole('region', { name: 'Conversation' });
    this.changes = page.getByRole('region', { name: 'Changes', exact: true });
  }

  async show(part: 'Conversation' | 'Changes'): Promise<void> {
    await this.page.getByRole('radio', { name: new RegExp(`^${part}`) }).click();
  }

  /** The card of a changed row. */
  card(key: string): Locator {
    return this.changes.getByRole('article', { name: new RegExp(`^${key}, `) });
  }

  async commentOnCell(key: string, column: string, text: string): Promise<void> {
    await this.card(key)
      .getByRole('button', { name: `Comment on ${column} of ${key}` })
      .click();
    const field = this.page.getByRole('textbox', { name: `Comment on ${column} of ${key}` });
    await field.fill(text);
    await field.press('Control+Enter');
    await expect(this.card(key).getByRole('article')).toContainText(text.replaceAll('*', ''));
  }

  async runChecks(): Promise<void> {
    await this.page.keyboard.press('r');
    await expect(this.checks.getByRole('button', { name: 'Run again' })).toBeVisible();
    await expect(this.checks).toContainText('ran ');
  }
}
