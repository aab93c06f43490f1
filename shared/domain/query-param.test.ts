import { describe, expect, test } from 'vitest';
import { formatParamLiteral, guessParamType, type ParamType, whyNotParam } from './query-param.ts';

describe('parameters as literals', () => {
  test.each<[ParamType, string | null, string]>([
    ['text', "it's; DROP", "'it''s; DROP'"],
    ['text', null, 'NULL'],
    ['number', ' -1.5e3 ', '(-1.5e3)'],
    ['boolean', 'TRUE', 'true'],
    ['date', '2026-02-28', "DATE '2026-02-28'"],
    ['timestamp', '2026-02-28 12:30', "TIMESTAMP '2026-02-28 12:30'"],
    ['list', "cat\n\n it's ", "['cat', 'it''s']::VARCHAR[]"],
    ['list', '', '[]::VARCHAR[]'],
  ])('%s %j', (type, value, literal) => {
    expect(formatParamLiteral({ name: 'x', type, value })).toBe(literal);
  });

  test.each<[ParamType, string]>([
    ['number', '1); DROP TABLE x'],
    ['number', ''],
    ['boolean', 'yes'],
    ['date', '2026-02-30'],
    ['date', "2026-01-01'"],
    ['timestamp', 'now'],
  ])('%s %j is refused', (type, value) => {
    expect(whyNotParam({ type, value })).toMatch(/ is n/);
    expect(() => formatParamLiteral({ name: 'x', type, value })).toThrow(/^The parameter \$x: /);
  });

  test('types that names suggest', () => {
    expect(['label', 'min_iso', 'is_flagged', 'since', 'created_at', 'labels'].map(guessParamType)).toEqual([
      'text',
      'number',
      'boolean',
      'date',
      'timestamp',
      'list',
    ]);
  });
});
