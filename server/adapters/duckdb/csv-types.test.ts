import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { guessDelimiter, parseFirstRecord } from './csv-head.ts';
import { buildFitQuery, hasHeaderLine, parseFitRows, textColumnTypes, uniteTypes } from './csv-types.ts';

describe('parseFirstRecord', () => {
  it.each([
    ['a,b\n1,2', ',', ['a', 'b']],
    ['"a,b","c""d",\r\n', ',', ['a,b', 'c"d', '']],
    ['"over\ntwo",b\n', ',', ['over\ntwo', 'b']],
    ['\n\na\tb', '\t', ['a', 'b']],
    ['5" nail,b', ',', ['5" nail', 'b']],
    ['', ',', null],
  ])('reads %j', (text, delimiter, values) => {
    expect(parseFirstRecord(text, delimiter)).toEqual(values);
  });
});

describe('guessDelimiter', () => {
  it.each([
    ['a,b;c,d', ','],
    ['a;b,c;d', ';'],
    ['a\tb', '\t'],
    ['a|b|c', '|'],
    ['word', ','],
    ['"a;b;c",d', ','],
  ])('in %j finds %j', (text, delimiter) => {
    expect(guessDelimiter(text)).toBe(delimiter);
  });
});

describe('hasHeaderLine', () => {
  const numbers = ['BIGINT', 'DOUBLE'] as const;
  it.each([
    ['names over numbers', ['id', 'n'], [numbers, numbers], true, true],
    ['years as names, beside another name', ['id', '2019'], [numbers, numbers], true, true],
    ['numbers over numbers', ['1', '2'], [numbers, numbers], true, false],
    ['texts over texts', ['name', 'city'], [[], []], true, true],
    ['a repeated text over texts', ['paris', 'paris'], [[], []], true, false],
    ['an index without a name', ['', 'n'], [numbers, numbers], true, true],
    ['names alone', ['id', 'n'], [[], []], false, true],
    ['numbers alone', ['1', '2'], [[], []], false, false],
  ])('%s', (_name, first, fitting, hasRows, expected) => {
    expect(hasHeaderLine(first, fitting, hasRows)).toBe(expected);
  });
});

describe('uniteTypes', () => {
  it.each([
    ['one that fits all', [['BIGINT', 'DOUBLE'], ['DOUBLE']], 'DOUBLE'],
    [
      'the narrowest',
      [
        ['BIGINT', 'UBIGINT', 'DOUBLE'],
        ['BIGINT', 'DOUBLE'],
      ],
      'BIGINT',
    ],
    ['text where none fits', [['BIGINT'], ['DATE']], 'VARCHAR'],
    ['that of the file that has values', [null, ['DATE', 'TIMESTAMP']], 'DATE'],
    ['text without any value', [null, null], 'VARCHAR'],
  ] as const)('takes %s', (_name, fitting, type) => {
    expect(uniteTypes(fitting)).toBe(type);
  });
});

describe('buildFitQuery', () => {
  async function fitOf(relation: string, candidates: Parameters<typeof parseFitRows>[1]) {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const names = candidates.map((_, index) => `c${index}`);
    const reader = await connection.runAndReadAll(buildFitQuery(names, candidates, relation));
    return parseFitRows(reader.getRows(), candidates);
  }

  it('tells per column which of its own candidates every value fits', async () => {
    const rows = "(VALUES ('1', '1', 'x', NULL), ('-2', '2.5', NULL, NULL)) t(c0, c1, c2, c3)";
    expect(
      await fitOf(rows, [[...textColumnTypes], ['BIGINT', 'DOUBLE'], ['DATE'], ['TIME', 'BIGINT']]),
    ).toEqual({
      rows: 2,
      hasValues: [true, true, true, false],
      fitting: [['BIGINT', 'DOUBLE'], ['DOUBLE'], [], ['TIME', 'BIGINT']],
    });
  });

  it('of no rows, everything fits', async () => {
    expect(await fitOf("(SELECT '' c0 WHERE false)", [['DATE']])).toEqual({
      rows: 0,
      hasValues: [false],
      fitting: [['DATE']],
    });
  });

  it('names each check once, however many columns there are', () => {
    const candidates = Array.from({ length: 250 }, () => [...textColumnTypes]);
    const query = buildFitQuery(
      candidates.map((_, index) => `c${index}`),
      candidates,
      'x',
    );
    expect(query.match(/regexp_full_match/g)).toHaveLength(textColumnTypes.length);
  });
});
