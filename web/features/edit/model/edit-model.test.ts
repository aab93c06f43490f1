import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeDone, describeEdit, suggestBranchName } from './describe-edit.ts';
import { parseDraft, toDraft } from './draft.ts';
import { type EditorKind, editorOf, zoneOf } from './editor-kind.ts';

describe('editorOf', () => {
  test.each([
    ['utf8', 'text', 'text'],
    ['utf8', 'label', 'label'],
    ['dictionary<int8, utf8>', 'label', 'label'],
    ['int64', 'number', 'integer'],
    ['float32', 'number', 'number'],
    ['decimal128(10, 2)', 'number', 'number'],
    ['bool', 'other', 'boolean'],
    ['timestamp[us, UTC]', 'time', 'timestamp'],
    ['date32', 'time', 'date'],
    ['list<utf8>', 'label', 'tags'],
    ['list<int32>', 'other', 'json'],
    ['struct<x: float32>', 'box', 'json'],
    ['utf8', 'json', 'json'],
    ['utf8', 'image', 'text'],
    ['blob', 'blob', null],
    ['fixed_size_list<float32>[512]', 'vector', null],
    ['binary', 'other', null],
    ['time64[us]', 'time', null],
  ] as const)('%s as %s is edited as %s', (type, role, kind) => {
    expect(editorOf({ name: 'a', type, role }, []).kind).toBe(kind);
  });

  test('key columns stay', () => {
    expect(editorOf({ name: 'id', type: 'utf8', role: 'text' }, ['id'])).toEqual({
      kind: null,
      reason: 'The key says which row this is, so it stays.',
    });
    expect([
      zoneOf('timestamp[us, UTC]'),
      zoneOf('timestamp[ms, Europe/Oslo]'),
      zoneOf('timestamp[ns]'),
    ]).toEqual(['UTC', 'Europe/Oslo', null]);
  });
});

describe('drafts', () => {
  const ways: [EditorKind, string, fc.Arbitrary<unknown>][] = [
    ['text', 'utf8', fc.string()],
    ['integer', 'int32', fc.integer()],
    ['integer', 'int64', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)],
    [
      'number',
      'float64',
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    ],
    ['boolean', 'bool', fc.boolean()],
    ['tags', 'list<utf8>', fc.array(fc.string())],
    ['json', 'struct<a: int32>', fc.dictionary(fc.string(), fc.integer())],
  ];
  test.each(ways)('%s of %s come back as they were', (kind, type, values) => {
    fc.assert(
      fc.property(values, (value) => {
        expect(parseDraft(kind, toDraft(kind, value, { type }), { type, nullable: false })).toEqual({
          isValid: true,
          value,
        });
      }),
    );
  });

  test('times keep their instant, with and without a zone', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (at) => {
          const zoned = { type: 'timestamp[us, UTC]', nullable: true };
          const plain = { type: 'timestamp[us]', nullable: true };
          expect(parseDraft('timestamp', toDraft('timestamp', at, zoned), zoned)).toEqual({
            isValid: true,
            value: at.toISOString(),
          });
          expect(parseDraft('timestamp', toDraft('timestamp', at.getTime(), plain), plain)).toEqual({
            isValid: true,
            value: at.toISOString().replace('Z', ''),
          });
        },
      ),
    );
    expect(toDraft('date', '2024-02-29', { type: 'date32' })).toBe('2024-02-29');
  });

  test.each([
    ['integer', 'int8', '128', 'int8 holds -128 to 127.'],
    ['integer', 'int64', '1.5', '“1.5” is not a whole number.'],
    ['integer', 'uint32', '-1', 'uint32 holds 0 to 4294967295.'],
    ['number', 'float64', '1,5', '“1,5” is not a number. Use a point for decimals.'],
    ['date', 'date32', '2023-02-29', '“2023-02-29” is not a date, like 2024-05-01.'],
    ['timestamp', 'timestamp[us]', '2024-13-01 00:00', '2024-13-01 00:00 is not in the calendar.'],
    ['json', 'struct<a: int32>', '[1]', 'This column holds fields: {…}.'],
    ['json', 'list<int32>', '{}', 'This column holds lists: […].'],
  ] as const)('%s of %s refuses %s', (kind, type, text, problem) => {
    expect(parseDraft(kind, text, { type, nullable: true })).toEqual({ isValid: false, problem });
  });

  test('empty text is no null, an empty number is', () => {
    expect(parseDraft('text', '', { type: 'utf8', nullable: true })).toEqual({ isValid: true, value: '' });
    expect(parseDraft('number', ' ', { type: 'float64', nullable: true })).toEqual({
      isValid: true,
      value: null,
    });
    expect(parseDraft('text', null, { type: 'utf8', nullable: false })).toEqual({
      isValid: false,
      problem: 'This column must have a value.',
    });
    expect(parseDraft('number', 'nan', { type: 'float32', nullable: true })).toEqual({
      isValid: true,
      value: 'NaN',
    });
  });
});

test('edits are called by what they do', () => {
  const rows = { ids: ['1'] };
  expect([
    describeEdit({ op: 'set', rows, values: { gloss: 'a' } }, 1),
    describeEdit({ op: 'set', rows, values: { gloss: null } }, 12_000),
    describeEdit({ op: 'tag', rows, column: 'tags', add: ['cat'], remove: ['dog', 'x', 'y'] }, 3),
    describeEdit({ op: 'delete', rows }, 2),
  ]).toEqual([
    'Set gloss on 1 row',
    'Clear gloss on 12\u2009000 rows',
    'Add cat, remove dog, x and 1 more in tags on 3 rows',
    'Delete 2 rows',
  ]);
  expect([
    describeDone({ op: 'delete', rows }, 2),
    describeDone({ op: 'tag', rows, column: 'remove', add: ['cat'], remove: ['dog'] }, 3),
    describeDone({ op: 'set', rows, values: { remove: null } }, 1),
  ]).toEqual(['Deleted 2 rows', 'Added cat, removed dog in remove on 3 rows', 'Cleared remove on 1 row']);
  expect(suggestBranchName({ op: 'set', rows, values: { 'My Gloss!': 1 } }, ['fix-my-gloss'])).toBe(
    'fix-my-gloss-2',
  );
});
