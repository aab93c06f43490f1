import { describe, expect, test } from 'vitest';
import { planColumns } from './merge-columns.ts';
import { diffColumns, mergeFacts, pairFields, type SchemaField } from './schema-diff.ts';

const field = (id: number, name: string, type = 'utf8', facts: Record<string, string> = {}): SchemaField => ({
  id,
  name,
  type,
  facts,
});

const base = [field(0, 'id', 'int64'), field(1, 'label'), field(2, 'score', 'float32')];
const isShared = (id: number) => id <= 2;

const plan = (from: SchemaField[], into: SchemaField[]) =>
  planColumns({ base, from, into, isSharedWithFrom: isShared, isSharedWithInto: isShared });

const brief = (from: SchemaField[], into: SchemaField[]) =>
  plan(from, into).map(({ name, action, dispute, obstacle }) => [name, action, dispute, obstacle !== null]);

describe('pairFields', () => {
  test('knows a renamed column by its id, and a column that was dropped and added again by its name', () => {
    const after = [
      field(0, 'id', 'int64'),
      field(1, 'class'),
      field(7, 'score', 'float64'),
      field(8, 'extra'),
    ];
    const pairs = pairFields(base, after, isShared);
    expect(pairs.map(({ before, after }) => [before?.name ?? null, after?.name ?? null])).toEqual([
      ['id', 'id'],
      ['label', 'class'],
      ['score', 'score'],
      [null, 'extra'],
    ]);
    expect(diffColumns(pairs)).toEqual({
      added: ['extra'],
      removed: [],
      changed: [
        { name: 'class', before: 'label utf8', after: 'class utf8' },
        { name: 'score', before: 'score float32', after: 'score float64' },
      ],
      facts: [],
    });
  });

  test('does not trust an id that both lines gave out', () => {
    const pairs = pairFields([field(3, 'a')], [field(3, 'b')], () => false);
    expect(diffColumns(pairs)).toMatchObject({ added: ['b'], removed: ['a'] });
  });
});

test('diffColumns lists facts that were set and taken away', () => {
  const pairs = pairFields(
    [field(1, 'label', 'utf8', { 'curio:role': 'text' })],
    [field(1, 'label', 'utf8', { 'curio:description': 'what it shows' })],
    isShared,
  );
  expect(diffColumns(pairs).facts).toEqual([
    { column: 'label', fact: 'curio:description', before: null, after: 'what it shows' },
    { column: 'label', fact: 'curio:role', before: 'text', after: null },
  ]);
});

describe('planColumns', () => {
  test('adds, drops and renames what from did', () => {
    expect(brief([field(0, 'id', 'int64'), field(1, 'class'), field(9, 'extra')], base)).toEqual([
      ['id', 'none', null, false],
      ['class', 'rename', null, false],
      [null, 'drop', 'dropped-by-from', false],
      ['extra', 'add', null, false],
    ]);
  });

  test('keeps what into did', () => {
    expect(brief(base, [field(0, 'id', 'int64'), field(1, 'class'), field(9, 'extra')])).toEqual([
      ['id', 'none', null, false],
      ['class', 'none', null, false],
      [null, 'none', 'dropped-by-into', false],
      ['extra', 'none', null, false],
    ]);
  });

  test('merges a column that both added, as into has it, and refuses it where no value fits', () => {
    const withExtra = (type: string) => [...base, field(9, 'extra', type)];
    expect(brief(withExtra('int32'), withExtra('int32'))[3]).toEqual(['extra', 'none', null, false]);
    expect(plan(withExtra('int32'), withExtra('utf8'))[3]).toMatchObject({
      retypedBy: 'into',
      obstacle: null,
    });
    expect(plan(withExtra('blob'), withExtra('utf8'))[3]?.obstacle).toContain('extra');
  });

  test('asks about two new names, and is content with one', () => {
    const renamed = (name: string) => [field(0, 'id', 'int64'), field(1, name), field(2, 'score', 'float32')];
    expect(brief(renamed('a'), renamed('b'))[1]).toEqual(['b', 'none', 'renamed', false]);
    expect(brief(renamed('a'), renamed('a'))[1]).toEqual(['a', 'none', null, false]);
  });

  test('takes the type of the side that changed it, and refuses two types and those that no value fits', () => {
    const as = (type: string) => [field(0, 'id', 'int64'), field(1, 'label'), field(2, 'score', type)];
    const retyped = as('float64');
    expect(plan(retyped, base)[2]).toMatchObject({ retypedBy: 'from', obstacle: null });
    expect(plan(base, retyped)[2]).toMatchObject({ retypedBy: 'into', obstacle: null });
    expect(plan(retyped, retyped)[2]).toMatchObject({ retypedBy: null, obstacle: null });
    expect(plan(retyped, as('utf8'))[2]?.obstacle).toContain(
      'on both sides (float32 to float64 and to utf8)',
    );
    expect(plan(as('struct<x: float32>'), base)[2]?.obstacle).toContain('float32 to struct<x: float32>');
    const renamedToo = [field(0, 'id', 'int64'), field(1, 'label'), field(2, 'points', 'utf8')];
    expect(plan(renamedToo, base)[2]).toMatchObject({ name: 'points', action: 'rename', retypedBy: 'from' });
  });

  test('refuses two columns under one name', () => {
    const into = [...base, field(9, 'class')];
    expect(brief([field(0, 'id', 'int64'), field(1, 'class'), field(2, 'score', 'float32')], into)).toEqual([
      ['id', 'none', null, false],
      ['class', 'rename', null, false],
      ['score', 'none', null, false],
      ['class', 'none', null, true],
    ]);
  });
});

test('mergeFacts takes what only from said, and leaves the key alone', () => {
  const of = (facts: Record<string, string>) => field(1, 'label', 'utf8', facts);
  expect(
    mergeFacts(
      of({ a: '1', b: '1', c: '1', d: '1' }),
      of({ a: '2', b: '2', d: '2', 'curio:key': '1' }),
      of({ a: '1', b: '3', c: '1', d: '2', e: '5' }),
    ),
  ).toEqual({ a: '2', c: null });
});
