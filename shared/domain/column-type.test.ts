import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../api/problem.ts';
import { type ColumnType, formatColumnType, parseColumnType } from './column-type.ts';

const unit = fc.constantFrom('s', 'ms', 'us', 'ns');
const size = fc.integer({ min: 1, max: 100_000 });

const { type } = fc.letrec<{ type: ColumnType; leaf: ColumnType }>((tie) => ({
  leaf: fc.oneof(
    fc
      .constantFrom(
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
        'date32',
        'date64',
        'json',
        'blob',
      )
      .map((kind) => ({ kind }) as ColumnType),
    fc.record({ kind: fc.constant('fixed_size_binary' as const), size }),
    fc.record({
      kind: fc.constant('decimal128' as const),
      precision: fc.integer({ min: 1, max: 38 }),
      scale: fc.integer({ min: -5, max: 38 }),
    }),
    fc.record({
      kind: fc.constant('decimal256' as const),
      precision: fc.integer({ min: 1, max: 76 }),
      scale: fc.integer({ min: 0, max: 76 }),
    }),
    fc.record({
      kind: fc.constant('timestamp' as const),
      unit,
      timezone: fc.constantFrom(null, 'UTC', 'Europe/Berlin', '+02:00', 'Etc/GMT-5'),
    }),
    fc.record({ kind: fc.constantFrom('time32' as const, 'time64' as const, 'duration' as const), unit }),
    fc.record({
      kind: fc.constant('interval' as const),
      unit: fc.constantFrom('year_month', 'day_time', 'month_day_nano'),
    }),
  ) as fc.Arbitrary<ColumnType>,
  type: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.record({ kind: fc.constantFrom('list' as const, 'large_list' as const), item: tie('type') }),
    fc.record({ kind: fc.constant('fixed_size_list' as const), item: tie('type'), size }),
    fc.record({
      kind: fc.constant('struct' as const),
      fields: fc.array(fc.record({ name: fc.string(), type: tie('type') }), { maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('map' as const), key: tie('leaf'), value: tie('type') }),
    fc.record({
      kind: fc.constant('dictionary' as const),
      index: fc.constant({ kind: 'int32' } as const),
      value: tie('leaf'),
    }),
  ) as fc.Arbitrary<ColumnType>,
}));

describe('column types', () => {
  it('are read as they are written', () => {
    fc.assert(
      fc.property(type, (made) => {
        expect(parseColumnType(formatColumnType(made))).toEqual(made);
      }),
    );
  });

  it('are written as the contract says', () => {
    expect(formatColumnType({ kind: 'fixed_size_list', item: { kind: 'float32' }, size: 512 })).toBe(
      'fixed_size_list<float32>[512]',
    );
    expect(formatColumnType({ kind: 'timestamp', unit: 'us', timezone: 'UTC' })).toBe('timestamp[us, UTC]');
    expect(formatColumnType({ kind: 'struct', fields: [{ name: 'a b', type: { kind: 'utf8' } }] })).toBe(
      'struct<"a b": utf8>',
    );
  });

  it('have common words', () => {
    expect(parseColumnType(' STRING ')).toEqual({ kind: 'utf8' });
    expect(parseColumnType('list<double>')).toEqual({ kind: 'list', item: { kind: 'float64' } });
    expect(parseColumnType('timestamp')).toEqual({ kind: 'timestamp', unit: 'us', timezone: null });
  });

  it.each([
    '',
    'int65',
    'list<int8',
    'list<>',
    'int8 int8',
    'fixed_size_list<float32>[0]',
    'struct<a int8>',
    'timestamp[min]',
    'decimal128(39, 0)',
    'struct<"a: int8>',
    `${'list<'.repeat(60)}int8${'>'.repeat(60)}`,
  ])('refuses %j with a reason', (text) => {
    expect(() => parseColumnType(text)).toThrow(AppError);
    expect(() => parseColumnType(text)).toThrow(/is not a type: ./);
  });
});
