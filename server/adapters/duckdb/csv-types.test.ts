import { describe, expect, it } from 'vitest';
import { guessDelimiter, parseFirstRecord } from './csv-head.ts';
import { hasHeaderLine, uniteTypes } from './csv-types.ts';

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
