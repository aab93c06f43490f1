import { describe, expect, it } from 'vitest';
import { arrow, type DataType, type Field, type RecordBatch } from '../../../arrow/arrow.ts';
import { dataCellToJson } from '../../../arrow/cell-json.ts';
import { applyColumns } from './apply-columns.ts';
import { findInColumns } from './column-findings.ts';
import { BrokenPromise } from './convert-column.ts';
import { type PlanInput, planColumns } from './plan-columns.ts';

type Made = Record<string, { type: DataType; values: readonly unknown[]; metadata?: Record<string, string> }>;

function batchOf(columns: Made): RecordBatch {
  const fields = Object.entries(columns).map(
    ([name, { type, metadata }]) =>
      new arrow.Field(name, type, true, new Map(Object.entries(metadata ?? {}))),
  );
  const children = Object.values(columns).map(
    ({ type, values }) => arrow.vectorFromArray([...values], type).data[0]!,
  );
  const schema = new arrow.Schema(fields);
  return new arrow.RecordBatch(
    schema,
    arrow.makeData({
      type: new arrow.Struct(fields),
      length: children[0]!.length,
      nullCount: 0,
      children: children as never,
    }) as never,
  );
}

const plan = (batch: RecordBatch, more: Partial<PlanInput> = {}) =>
  planColumns({
    label: 'a.parquet',
    schema: batch.schema,
    findings: findInColumns(batch.schema, [batch]),
    key: null,
    broken: new Set(),
    ignoresInheritedKey: false,
    ...more,
  });

const shown = (fields: readonly Field[]) =>
  fields.map(({ name, type, nullable, metadata }) => [
    name,
    String(type),
    nullable,
    Object.fromEntries(metadata),
  ]);

const values = (batch: RecordBatch, name: string): unknown[] => {
  const data = batch.data.children[batch.schema.fields.findIndex((field) => field.name === name)]!;
  return Array.from({ length: data.length }, (_, row) => dataCellToJson(data, row));
};

const utf8 = new arrow.Utf8();
const floats = new arrow.List(new arrow.Field('item', new arrow.Float32(), true));
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0);
const vector = (first: number) => Array.from({ length: 8 }, (_, index) => first + index);

describe('planColumns', () => {
  it('adds a hidden key where none is declared', () => {
    const batch = batchOf({ a: { type: new arrow.Int32(), values: [5, 6] } });
    const made = plan(batch);
    expect(shown(made.schema.fields)).toEqual([
      ['a', 'Int32', true, {}],
      ['_key', 'Int64', false, { 'curio:hidden': 'true', 'curio:key': '1' }],
    ]);
    expect(values(applyColumns(made, batch, 2 ** 33), '_key')).toEqual(['8589934592', '8589934593']);
  });

  it('marks the declared key, and keeps the key that an exported table names', () => {
    const batch = batchOf({
      a: { type: utf8, values: ['x'], metadata: { 'curio:key': '2' } },
      b: { type: utf8, values: ['y'], metadata: { 'curio:key': '1' } },
    });
    expect(plan(batch, { key: ['a'] }).key).toEqual(['a']);
    expect(plan(batch)).toMatchObject({ key: ['b', 'a'], isKeyInherited: true, hasHiddenKey: false });
    expect(plan(batch, { ignoresInheritedKey: true })).toMatchObject({ key: ['_key'], hasHiddenKey: true });
    const hidden = batchOf({
      a: { type: utf8, values: ['x'] },
      _key: { type: new arrow.Int64(), values: [7n] },
    });
    expect(shown(plan(hidden).schema.fields)[1]).toEqual([
      '_key',
      'Int64',
      false,
      { 'curio:hidden': 'true', 'curio:key': '1' },
    ]);
  });

  it('takes the wanted columns first, under their names, with their facts, and carries over those of the source', () => {
    const batch = batchOf({
      a: {
        type: utf8,
        values: ['x'],
        metadata: {
          'curio:role': 'url',
          'curio:description': 'old',
          'PARQUET:field_id': '1',
          'curio:table-description': 'All.',
        },
      },
      b: { type: utf8, values: ['y'] },
      c: { type: utf8, values: ['z'] },
    });
    const made = plan(batch, {
      columns: [
        { from: 'c', name: 'third', description: 'The third.', role: 'label' },
        { from: 'b', drop: true },
      ],
    });
    expect(shown(made.schema.fields).slice(0, 2)).toEqual([
      [
        'third',
        'Utf8',
        true,
        { 'curio:role': 'label', 'curio:description': 'The third.', 'curio:table-description': 'All.' },
      ],
      ['a', 'Utf8', true, { 'curio:role': 'url', 'curio:description': 'old' }],
    ]);
    expect(
      plan(batch, { description: 'New.' }).schema.fields[0]!.metadata.get('curio:table-description'),
    ).toBe('New.');
  });

  it('carries the checks of the table over, to its key', () => {
    const checks = '[{"name":"a","where":"n > 0"}]';
    const batch = batchOf({
      a: { type: utf8, values: ['x'], metadata: { 'curio:checks': checks } },
      b: { type: utf8, values: ['y'] },
    });
    const keptAt = (made: ReturnType<typeof plan>): string[] =>
      made.schema.fields
        .filter(({ metadata }) => metadata.get('curio:checks') === checks)
        .map(({ name }) => name);
    expect(keptAt(plan(batch))).toEqual(['_key']);
    expect(keptAt(plan(batch, { key: ['b'] }))).toEqual(['b']);
  });

  it('makes vectors of lists of one length, and gives up on the first that differs', () => {
    const batch = batchOf({ v: { type: floats, values: [vector(0), null, vector(1)] } });
    const made = plan(batch);
    expect(String(made.schema.fields[0]!.type)).toBe('FixedSizeList[8]<Float32>');
    expect(values(applyColumns(made, batch, 0), 'v')).toEqual([vector(0), null, vector(1)]);
    const later = batchOf({ v: { type: floats, values: [vector(0), [1]] } });
    expect(() => applyColumns(made, later, 0)).toThrow(BrokenPromise);
    expect(String(plan(batch, { broken: new Set(['v']) }).schema.fields[0]!.type)).toBe('List<Float32>');
    expect(String(plan(batchOf({ v: { type: floats, values: [[1, 2]] } })).schema.fields[0]!.type)).toBe(
      'List<Float32>',
    );
  });

  it('makes blob columns of media and of large bytes, and leaves small ones alone', () => {
    const batch = batchOf({
      picture: { type: new arrow.Binary(), values: [png, null, png] },
      large: {
        type: new arrow.LargeBinary(),
        values: [new Uint8Array(40_000), null, new Uint8Array(40_000)],
      },
      small: { type: new arrow.Binary(), values: [Uint8Array.of(1, 2), null, Uint8Array.of(3)] },
    });
    const made = plan(batch);
    expect(
      shown(made.schema.fields)
        .slice(0, 3)
        .map(([name, type, , metadata]) => [name, type, (metadata as Record<string, string>)['curio:role']]),
    ).toEqual([
      ['picture', 'Struct<{data:LargeBinary, uri:Utf8}>', 'image'],
      ['large', 'Struct<{data:LargeBinary, uri:Utf8}>', 'blob'],
      ['small', 'Binary', undefined],
    ]);
    expect(made.hasBlobs).toBe(true);
    expect(values(applyColumns(made, batch, 0), 'picture')[1]).toBeNull();
  });

  it('widens the keys of text dictionaries, and unfolds others', () => {
    const batch = batchOf({
      word: { type: new arrow.Dictionary(utf8, new arrow.Int8()), values: ['a', null, 'b', 'a'] },
      number: { type: new arrow.Dictionary(new arrow.Int32(), new arrow.Int8()), values: [7, null, 8, 7] },
    });
    const made = plan(batch);
    expect(made.schema.fields.slice(0, 2).map(({ type }) => String(type))).toEqual([
      'Dictionary<Int32, Utf8>',
      'Int32',
    ]);
    const applied = applyColumns(made, batch, 0);
    expect([values(applied, 'word'), values(applied, 'number')]).toEqual([
      ['a', null, 'b', 'a'],
      [7, null, 8, 7],
    ]);
  });

  it('makes untyped nulls text, and tells', () => {
    const type = new arrow.Null();
    const schema = new arrow.Schema([new arrow.Field('n', type, true)]);
    const batch = new arrow.RecordBatch(
      schema,
      arrow.makeData({
        type: new arrow.Struct(schema.fields),
        length: 2,
        nullCount: 0,
        children: [arrow.makeData({ type, length: 2 })] as never,
      }) as never,
    );
    const made = plan(batch);
    expect([String(made.schema.fields[0]!.type), made.notices]).toEqual([
      'Utf8',
      ['The column “n” has only nulls, and no type; it is a text column now.'],
    ]);
    expect(values(applyColumns(made, batch, 0), 'n')).toEqual([null, null]);
  });

  it.each([
    ['a key that is not there', { key: ['nope'] }, 'a.parquet: the key column “nope” is not there.'],
    ['a key that cannot be', { key: ['f'] }, 'a.parquet: the column “f” (Float64) cannot be a key.'],
    ['a wanted column that is not there', { columns: [{ from: 'x' }] }, 'a.parquet: there is no column “x”.'],
    ['nothing left', { columns: [{ from: 'f', drop: true }] }, 'a.parquet: there are no columns.'],
  ])('refuses %s', (_name, more, message) => {
    expect(() => plan(batchOf({ f: { type: new arrow.Float64(), values: [1] } }), more)).toThrow(message);
  });
});
