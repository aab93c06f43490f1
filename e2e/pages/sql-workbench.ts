import type { Locator, Page } from '@playwright/test';

/** The SQL workbench as a person uses it. */
export class SqlWorkbench {
  readonly page: Page;
  readonly region: Locator;

  constructor(page: Page) {
    this.page = page;
    this.region = page.getByRole('region', { name: 'SQL' });
  }

  get status(): Locator {
    return this.region.getByRole('status', { name: 'Statement' });
  }

  cell(name: string): Locator {
    return this.region.getByRole('listitem', { name: `Cell ${name}` });
  }

  button(name: string | RegExp): Locator {
    return this.region.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** Opens a text through a link, as others send it. */
  async open(sql: string): Promise<void> {
    await this.page.goto(`/sql?q=${encodeURIComponent(sql)}`);
    await this.page.locator('.monaco-editor textarea, .monaco-editor .native-edit-context').first().waitFor();
  }

  /** Writes at the end of the first editor. */
  async type(text: string): Promise<void> {
    await this.page.locator('.monaco-editor').first().click();
    await this.page.keyboard.press('Control+End');
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Escape');
  }

  async more(item: string | RegExp): Promise<void> {
    await this.button('More').click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }
}
