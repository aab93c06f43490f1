import { describe, expect, it } from 'vitest';
import { formatColumnType, parseColumnType } from '#shared/domain/column-type.ts';
import { toArrowField, toColumnType } from './column-type-arrow.ts';

const types = [
  'null',
  'bool',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'float16',
  'float32',
  'float64',
  'utf8',
  'large_utf8',
  'binary',
  'large_binary',
  'fixed_size_binary[16]',
  'date32',
  'date64',
  'json',
  'blob',
  'decimal128(38, 10)',
  'decimal256(60, 2)',
  'timestamp[s]',
  'timestamp[ms, UTC]',
  'timestamp[us, Europe/Berlin]',
  'timestamp[ns]',
  'time32[s]',
  'time32[ms]',
  'time64[us]',
  'time64[ns]',
  'duration[ns]',
  'interval[day_time]',
  'list<utf8>',
  'list<list<int8>>',
  'fixed_size_list<float16>[3]',
  'list<fixed_size_list<float32>[2]>',
  'struct<x: int64, "y y": list<utf8>>',
  'list<struct<label: utf8, box: fixed_size_list<float32>[4]>>',
  'map<utf8, int64>',
  'dictionary<int8, utf8>',
  'dictionary<int32, utf8>',
];

describe('column types and Arrow fields', () => {
  it.each(types)('%s comes back', (text) => {
    const field = toArrowField({ name: 'column', type: parseColumnType(text) });
    expect(formatColumnType(toColumnType(field))).toBe(text);
  });

  it('keep name, nullability and metadata', () => {
    const field = toArrowField({
      name: 'n',
      type: { kind: 'json' },
      nullable: false,
      metadata: new Map([['curio:role', 'json']]),
    });
    expect([field.name, field.nullable, [...field.metadata]]).toEqual([
      'n',
      false,
      [
        ['curio:role', 'json'],
        ['ARROW:extension:name', 'arrow.json'],
      ],
    ]);
  });
});
