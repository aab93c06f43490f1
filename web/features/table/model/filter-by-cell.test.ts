import { expect, test } from 'vitest';
import { compileFilter } from '#shared/sql/filter.ts';
import { gridColumnsOf } from '../../grid/model/grid-column.ts';
import { conditionOfCell } from './filter-by-cell.ts';

const infos = [
  ['text', 'utf8'],
  ['int', 'int64'],
  ['float', 'float64'],
  ['flag', 'bool'],
  ['at', 'timestamp[us, UTC]'],
  ['list', 'list<utf8>'],
  ['vector', 'fixed_size_list<float32>[64]'],
].map(([name = '', type = '']) => ({
  name,
  type,
  nullable: true,
  role: 'other' as const,
  description: '',
  tags: [],
}));
const columns = gridColumnsOf(infos);
const made = (name: string, value: unknown, isNegated = false) =>
  conditionOfCell(columns.find((column) => column.name === name)!, value, isNegated)?.sql ?? null;

test('a cell makes the condition that finds it', () => {
  expect([
    made('text', "it's"),
    made('text', null),
    made('text', 'a', true),
    made('int', 9007199254740993n),
    made('float', 0.1),
    made('float', Number.NaN),
    made('flag', false),
    made('at', 1714744931000000n),
    made('list', ['a']),
    made('vector', new Float32Array(64)),
  ]).toEqual(
    [
      "text = 'it''s'",
      'text is null',
      "text <> 'a'",
      'int = 9007199254740993',
      'float = 0.1',
      'isnan(float)',
      'flag is false',
      "at = '2024-05-03 14:02:11.000000Z'",
      null,
      null,
    ].map((sql) => sql?.replace(/^(text|int|float|at)\b/, (name) => quoted(name)) ?? null),
  );
});

const quoted = (name: string): string => made(name, null)?.replace(' is null', '') ?? name;

test('what is made is a filter that the engines take', () => {
  const all = [
    made('text', ''),
    made('int', -1n),
    made('at', 0n),
    made('flag', true, true),
    made('float', 1e300),
  ];
  for (const text of all) expect(() => compileFilter({ text: text ?? '', columns: infos })).not.toThrow();
});
