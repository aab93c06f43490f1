import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAppError } from '../api/problem.ts';
import { SavedText } from '../api/queries.ts';
import { formatQueryFile, parseQueryFile, queryFileName } from './query-file.ts';
import { paramTypes } from './query-param.ts';

const refs = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^(main|exp):[1-9]\d?$/), {
  noNullPrototype: true,
});
const facts = {
  name: fc
    .string({ minLength: 1, unit: 'binary' })
    .map((text) => text.replace(/[\p{Cc}\uD800-\uDFFF\uFFFD]/gu, '').trim()),
  description: fc.string({ unit: 'grapheme' }),
  visibility: fc.constantFrom('private' as const, 'shared' as const),
  refs,
  params: fc.array(
    fc.record({
      name: fc.stringMatching(/^[a-z_]\w{0,5}$/),
      type: fc.constantFrom(...paramTypes),
      value: fc.option(fc.string({ unit: 'grapheme' })),
    }),
    { maxLength: 3 },
  ),
};
const sql = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('SELECT 1', 'select 1\n', '-- ---\nselect 1', 'a\r\nb\r\n'),
  )
  .filter((text) => text.trim() !== '');
const texts = fc
  .oneof(
    fc.record({ ...facts, sql }),
    fc.record({ ...facts, sql, charts: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string()) }),
    fc.record({ ...facts, view: fc.record({ table: fc.constant('clips'), query: fc.string() }) }),
  )
  .filter(({ name }) => name !== '');

const whyOf = (content: string): string => {
  try {
    parseQueryFile(content, 'file');
    return 'taken';
  } catch (error) {
    if (!isAppError(error)) throw error;
    expect(error.code).toBe('INVALID_FILE');
    return error.message;
  }
};

describe('the file of a saved query', () => {
  test('a query comes back from its file as it was', () => {
    fc.assert(
      fc.property(texts, fc.option(fc.stringMatching(/^[a-z0-9-]{1,12}$/)), (draft, id) => {
        const text = SavedText.parse(draft);
        fc.pre(!JSON.stringify(text).includes('\\u0000') && !JSON.stringify(text).includes('\uFFFD'));
        expect(parseQueryFile(formatQueryFile({ id, text }), 'another')).toEqual({ id, text });
      }),
    );
  });

  test('separators of lines and paragraphs that are no line breaks of a file stand in values', () => {
    const text = SavedText.parse({ name: 'a\u2028b', sql: 'SELECT 1', description: '\u2029' });
    expect(parseQueryFile(formatQueryFile({ id: null, text }), 'another')).toEqual({ id: null, text });
  });

  test('it reads well, and its lines stay where they are when one thing changes', () => {
    const text = SavedText.parse({
      name: 'Rows of a label',
      description: 'For the review.\nEach week.',
      sql: 'SELECT *\nFROM clips\nWHERE label = $label',
      refs: { tags: 'main:3', clips: 'main:12' },
      params: [{ name: 'label', type: 'text', value: 'cat' }],
    });
    expect(formatQueryFile({ id: 'a-1', text })).toBe(`-- ---
-- curio-query: 1
-- id: "a-1"
-- name: "Rows of a label"
-- description: "For the review.\\nEach week."
-- visibility: "shared"
-- refs: {"clips":"main:12","tags":"main:3"}
-- params: [{"name":"label","type":"text","value":"cat"}]
-- ---
SELECT *
FROM clips
WHERE label = $label
`);
  });

  test('files that people write: no quotes, Windows line ends, no head at all', () => {
    expect(
      parseQueryFile('-- ---\r\n-- curio-query: 1\r\n-- name: Rows by label\r\n-- ---\r\nSELECT 1\r\n', 'x'),
    ).toEqual({
      id: null,
      text: {
        name: 'Rows by label',
        sql: 'SELECT 1',
        refs: {},
        description: '',
        visibility: 'shared',
        params: [],
      },
    });
    expect(parseQueryFile('\uFEFFSELECT 2', 'by-label').text).toMatchObject({
      name: 'by-label',
      sql: 'SELECT 2',
    });
  });

  test.each([
    ['', 'The file has no SQL.'],
    ['-- ---\n-- curio-query: 1\n', 'The head that begins with “-- ---” has no end.'],
    ['-- ---\n-- name: x\n-- ---\nselect 1', 'The head has no line “-- curio-query: 1”.'],
    ['-- ---\n-- curio-query: 7\n-- ---\nselect 1', 'The file says format 7; this Curio reads 1.'],
    ['-- ---\n-- curio-query: 1\nselect 1\n-- ---\n', 'Line 3: “select 1” is not “-- key: value”.'],
    ['-- ---\n-- curio-query: 1\n-- nmae: x\n-- ---\nselect 1', 'Line 3: “nmae” is no fact of a query.'],
    [
      '-- ---\n-- curio-query: 1\n-- refs: clips\n-- ---\nselect 1',
      'Line 3: the value of “refs” is not JSON.',
    ],
    [
      '-- ---\n-- curio-query: 1\n-- name: a\n-- name: b\n-- ---\nselect 1',
      'Line 4: “name” stands there twice.',
    ],
    [
      '-- ---\n-- curio-query: 1\n-- id: ../../x\n-- ---\nselect 1',
      'The id has other characters than letters, digits, “-” and “_”.',
    ],
    ['-- ---\n-- curio-query: 1\n-- visibility: world\n-- ---\nselect 1', /^visibility: /],
    [
      '-- ---\n-- curio-query: 1\n-- view: {"table":"t","query":""}\n-- ---\nselect 1',
      'The file has a view and SQL; it can have one of them.',
    ],
    ['PK\u0003\u0004\0\0', 'The file is not UTF-8 text.'],
  ])('refuses %j and says why', (content, why) => {
    expect(whyOf(content)).toEqual(typeof why === 'string' ? why : expect.stringMatching(why));
  });

  test('names of files', () => {
    expect(['Rows by label', 'Été / 2026!', '…', '猫'].map(queryFileName)).toEqual([
      'rows-by-label.sql',
      'ete-2026.sql',
      'query.sql',
      '猫.sql',
    ]);
  });
});
