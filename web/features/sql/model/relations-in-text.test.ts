import { describe, expect, test } from 'vitest';
import { placeOfCaret, relationsInText } from './relations-in-text.ts';

describe('relationsInText', () => {
  test.each<[string, [string, string | null][]]>([
    ['select * from clips', [['clips', null]]],
    ['select * from clips c where c.x', [['clips', 'c']]],
    [
      'from clips as c, "clips@exp:12" d',
      [
        ['clips', 'c'],
        ['clips@exp:12', 'd'],
      ],
    ],
    [
      'select a from x left join y using (id) cross join "z z" as q',
      [
        ['x', null],
        ['y', null],
        ['z z', 'q'],
      ],
    ],
    ['select * from main.clips limit 3', [['clips', null]]],
    ['select * from range(3) r join clips on true', [['clips', null]]],
    [
      'select (select max(a) from u) from t order by a',
      [
        ['u', null],
        ['t', null],
      ],
    ],
    ['describe clips', [['clips', null]]],
    ["select ' from x ' -- from y\nfrom z", [['z', null]]],
    ['select 1', []],
    ['select * from', []],
  ])('%s', (sql, expected) => {
    expect(relationsInText(sql).map(({ name, alias }) => [name, alias])).toEqual(expected);
  });
});

describe('placeOfCaret', () => {
  /** `|` is the caret. */
  const place = (text: string) => {
    const caret = text.indexOf('|');
    const { kind, path, start, isQuoted } = placeOfCaret(text.replace('|', ''), caret);
    return { kind, path, start, isQuoted };
  };

  test.each<[string, string, string[], number]>([
    ['|', 'column', [], 0],
    ['select na|', 'column', [], 7],
    ['select * from |', 'table', [], 14],
    ['select * from cl|', 'table', [], 14],
    ['select * from "clips@|', 'table', [], 14],
    ['select * from clips, |', 'table', [], 21],
    ['select * from clips where |', 'column', [], 26],
    ['select a, |', 'column', [], 10],
    ['select * from t where f(a, |', 'column', [], 27],
    ['select c.|', 'member', ['c'], 9],
    ['select c.na|', 'member', ['c'], 9],
    ['select "clips@exp".box.|', 'member', ['clips@exp', 'box'], 23],
    ["select 'from |'", 'none', [], 13],
    ['select 12|', 'none', [], 9],
    ['select 1 -- from |', 'none', [], 17],
    ['select /* from | */ 1', 'none', [], 15],
    ['select /* x */ na| from t', 'column', [], 15],
  ])('%s', (text, kind, path, start) => {
    expect(place(text)).toMatchObject({ kind, path, start });
  });

  test('a quoted name is replaced with its quote', () => {
    expect(place('select * from "cl|').isQuoted).toBe(true);
    expect(place('select * from cl|').isQuoted).toBe(false);
  });
});
