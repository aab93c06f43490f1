import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ColumnType, formatColumnType, parseColumnType, type TimeUnit } from './column-type.ts';

const unit = fc.constantFrom<TimeUnit>('s', 'ms', 'us', 'ns');
const anyType = fc.letrec<{ type: ColumnType }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<ColumnType>(
      { kind: 'null' },
      { kind: 'bool' },
      { kind: 'int', bits: 8, isSigned: false },
      { kind: 'int', bits: 64, isSigned: true },
      { kind: 'float', bits: 16 },
      { kind: 'decimal', precision: 10, scale: 2 },
      { kind: 'text' },
      { kind: 'text', isLarge: true },
      { kind: 'text', isDictionary: true },
      { kind: 'binary', size: 16 },
      { kind: 'date', unit: 'day' },
      { kind: 'date', unit: 'ms' },
      { kind: 'interval' },
      { kind: 'json' },
      { kind: 'blob' },
    ),
    fc.record({ kind: fc.constant('time' as const), unit }),
    fc.record({ kind: fc.constant('duration' as const), unit }),
    fc.record({
      kind: fc.constant('timestamp' as const),
      unit,
      zone: fc.constantFrom(null, 'UTC', 'America/New_York', '+02:00'),
    }),
    fc.record({ kind: fc.constant('list' as const), item: tie('type') }),
    fc.record({ kind: fc.constant('list' as const), item: tie('type'), size: fc.nat(2000) }),
    fc.record({ kind: fc.constant('map' as const), key: tie('type'), value: tie('type') }),
    fc.record({
      kind: fc.constant('struct' as const),
      fields: fc.array(fc.record({ name: fc.string(), type: tie('type') }), { maxLength: 3 }),
    }),
  ),
})).type;

describe('column types', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(anyType, (type) => {
        expect(parseColumnType(formatColumnType(type))).toEqual(type);
      }),
    );
  });

  it('reads other ways to write the same', () => {
    expect(parseColumnType('timestamp[us,UTC]')).toEqual({ kind: 'timestamp', unit: 'us', zone: 'UTC' });
    expect(parseColumnType('dictionary<int8, utf8>')).toEqual({ kind: 'text', isDictionary: true });
    expect(parseColumnType('decimal128(10, 2)')).toEqual({ kind: 'decimal', precision: 10, scale: 2 });
    expect(parseColumnType('geometry')).toEqual({ kind: 'other', name: 'geometry' });
  });
});
