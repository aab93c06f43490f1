import AxeBuilder from '@axe-core/playwright';
import type { APIRequestContext, Page } from '@playwright/test';
import { countRequests, expect, test } from '../fixtures/test.ts';
import { ReviewPage } from '../pages/review-page.ts';

const table = 'openmoji';
const branch = 'mend-names';
const check = 'no empty name';
/** One red pixel. */
const redPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const expectAccessible = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
  ).toEqual([]);
};

async function send(request: APIRequestContext, method: 'post' | 'put', path: string, data: unknown) {
  const answer = await request[method](`/api/v1/tables/${table}/${path}`, { data });
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
}

const edit = (request: APIRequestContext, keys: string[], values: object, message: string) =>
  send(request, 'post', 'edits', { branch, message, ops: [{ op: 'set', rows: { keys }, values }] });

test('a branch is reviewed: comments, a check that blocks, approval, merge; it can be read for ever', async ({
  page,
}) => {
  const { request } = page;
  const requests = countRequests(page);
  const review = new ReviewPage(page);
  const rows = await request.get(
    `/api/v1/tables/${table}/rows?format=json&q=${encodeURIComponent(JSON.stringify({ columns: ['id', 'name'], limit: 4 }))}`,
  );
  const ids = ((await rows.json()) as { rows: { id: string }[] }).rows.map(({ id }) => id);
  const [named = '', nameless = '', pictured = ''] = ids;
  await send(request, 'put', 'checks', {
    checks: [{ name: check, description: 'Everything has a name.', where: "name <> ''" }],
  });
  await send(request, 'post', 'branches', { name: branch });
  await edit(request, [named], { name: 'a better name' }, 'Name the first');
  await edit(request, [nameless], { name: '' }, 'Empty a wrong name');
  await edit(request, [pictured], { image: { bytes: { base64: redPng }, path: 'red.png' } }, 'A red picture');

  await test.step('open it from the branch: the words are there already', async () => {
    await page.goto(`/t/${table}?ref=${branch}`);
    await page.getByRole('button', { name: 'Review…' }).click();
    const dialog = page.getByRole('dialog', { name: `Review ${branch}` });
    await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveValue('Mend names');
    await expect(dialog.getByRole('textbox', { name: 'Description' })).toHaveValue(/- Name the first/);
    await expect(dialog).toContainText('3 modified');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Open the review' }).click();
    await expect(page).toHaveURL(/\/reviews\/\d+$/);
    await expect(page.getByRole('heading', { name: 'Mend names' })).toBeVisible();
    await expect(review.merge).toContainText(check);
    await expectAccessible(page);
  });

  await test.step('two requests open it', async () => {
    requests.reset();
    await page.reload();
    await expect(page.getByRole('list', { name: /changed rows/ }).locator('img')).toHaveCount(3);
    expect(requests.list().filter((one) => one !== 'GET /api/v1/session')).toHaveLength(2);
  });

  await test.step('look at a picture, comment on a cell', async () => {
    await review.show('Changes');
    await expect(review.card(pictured).getByRole('img')).not.toHaveCount(0);
    await review.commentOnCell(nameless, 'name', 'Why is it **empty**?');
    await expectAccessible(page);
    await review.show('Conversation');
    const thread = review.conversation.getByRole('article', {
      name: `Thread of you, on name of ${nameless}`,
    });
    await expect(thread).toContainText('Why is it empty?');
    await expect(
      thread.getByRole('button', { name: `Show name of ${nameless}` }).locator('img'),
    ).toBeVisible();
  });

  await test.step('a required check fails and blocks; its rows open', async () => {
    await review.runChecks();
    await expect(review.checks).toContainText(/1 row fails, 1 more than before/);
    await expect(review.merge.getByRole('button', { name: 'Merge', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await review.checks.getByRole('link', { name: /1 row fails/ }).click();
    await expect(page.getByRole('grid', { name: 'Rows' })).toHaveAttribute('aria-rowcount', '1');
    await page.goBack();
  });

  await test.step('mended on the branch; the comment says that the cell has changed', async () => {
    await edit(request, [nameless], { name: 'named after all' }, 'Name it after all');
    await page.reload();
    const thread = review.conversation.getByRole('article', { name: /Thread of you/ });
    await expect(thread).toContainText('changed since');
    await expect(thread).toContainText('named after all');
    await thread.getByRole('button', { name: 'Resolve' }).click();
    await expect(review.conversation).toContainText('resolved by you');
    await review.runChecks();
    await expect(review.checks).toContainText('passes');
  });

  await test.step('approve and merge by keys; the branch goes', async () => {
    await page.keyboard.press('a');
    await page.getByRole('textbox', { name: 'What you say with it' }).fill('Good now.');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('region', { name: 'Reviewers' })).toContainText('approved');
    await page.keyboard.press('m');
    const how = page.getByRole('dialog', { name: 'How to merge' });
    await how.getByRole('checkbox', { name: `Delete ${branch} afterwards` }).click();
    await how.getByRole('button', { name: 'Merge into main' }).click();
    await expect(review.merge).toContainText(/Merged into main as version \d+/);
    const answer = await request.post(`/api/v1/tables/${table}/count`, {
      data: { where: "name IN ('a better name', 'named after all')" },
    });
    expect(await answer.json()).toMatchObject({ rows: 2, ref: { branch: 'main' } });
  });

  await test.step('it is read as it was, though the branch is gone', async () => {
    await page.reload();
    await expect(review.merge).toContainText(`the branch ${branch} is deleted`);
    await expect(review.conversation).toContainText('Good now.');
    await review.show('Changes');
    await expect(
      review.changes.getByRole('list', { name: 'Changed rows' }).getByRole('article').first(),
    ).toBeVisible();
    await expect(review.card(named)).toContainText('a better name');
    await expect(review.card(pictured).getByRole('img')).not.toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step('the list of reviews has it among the merged', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('radio', { name: /^Merged/ }).click();
    await expect(page.getByRole('link', { name: 'Mend names' })).toBeVisible();
    await expectAccessible(page);
  });
});
