import { describe, expect, test } from 'vitest';
import { formatText } from './format-text.ts';

describe('formatting', () => {
  test('one clause a line, names, texts, comments and parameters as they were', async () => {
    const sql = `select a, "clips@exp:12".x -- why\nfrom "clips@exp:12" where label=$label and s = 'it''s  ' group by all`;
    const formatted = await formatText(sql);
    expect(formatted).toBe(`SELECT
  a,
  "clips@exp:12".x -- why
FROM
  "clips@exp:12"
WHERE
  label = $label
  AND s = 'it''s  '
GROUP BY ALL`);
    expect(await formatText(formatted)).toBe(formatted);
  });

  test.each([
    'FROM clips SELECT list_transform(tags, lambda x: x || 1), tags[1:2], {a: 1}, MAP {1: 2}',
    'SELECT * EXCLUDE (a) REPLACE (b + 1 AS b) FROM t QUALIFY row_number() OVER (PARTITION BY x ORDER BY y) = 1',
    "SELECT $$ a  b $$, e'x\\n', 1_000, x::INT, y ->> '$.a' FROM t ASOF JOIN u USING (k)",
    'SUMMARIZE clips',
    'SELECT 1; SELECT 2;',
  ])('%s means the same afterwards', async (sql) => {
    await expect(formatText(sql)).resolves.toMatch(/\S/);
  });

  test('what cannot be read is refused, and says so', async () => {
    await expect(formatText("SELECT 'open")).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      hint: expect.any(String),
    });
  });
});
