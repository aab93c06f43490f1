import { expect, test } from 'vitest';
import { compileFilter } from './filter.ts';
import { formatKeyFilter } from './key-filter.ts';

const id = { name: 'id', type: 'int64' };
const name = { name: 'the name', type: 'utf8' };
const day = { name: 'day', type: 'timestamp[us, UTC]' };

test.each([
  ['no rows', [id], [], null],
  ['no key', [], [1], null],
  ['one', [id], [7], 'id = 7'],
  ['64 bits as text', [id], ['9007199254740993'], 'id = 9007199254740993'],
  ['some', [id], [1, '2'], 'id in (1, 2)'],
  ['quotes', [name], ["o'clock"], `"the name" = 'o''clock'`],
  ['two columns', [id, name], [[1, 'a']], `id = 1 and "the name" = 'a'`],
  [
    'two of two',
    [id, name],
    [
      [1, 'a'],
      [2, null],
    ],
    `(id = 1 and "the name" = 'a') or (id = 2 and "the name" is null)`,
  ],
  ['nothing as a key', [id], [1, null], '(id = 1) or (id is null)'],
  ['times', [day], ['2024-05-01T10:00:00Z'], `day = timestamp '2024-05-01T10:00:00Z'`],
] as const)('%s', (_case, columns, keys, expected) => {
  const text = formatKeyFilter(columns, keys as never);
  expect(text).toBe(expected);
  if (text !== null) expect(() => compileFilter({ text, columns })).not.toThrow();
});

test('what is no number cannot become syntax', () => {
  const text = formatKeyFilter([id], ['1) or (1=1'])!;
  expect(() => compileFilter({ text, columns: [id] })).toThrow();
});
