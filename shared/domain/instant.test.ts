import { expect, test } from 'vitest';
import { toInstant } from './instant.ts';

test('reads what time columns carry', () => {
  expect(toInstant('1970-01-02')).toBe(86_400_000);
  expect(toInstant('1970-01-01T00:00:01')).toBe(1_000);
  expect(toInstant('1970-01-01 00:00:01.250')).toBe(1_250);
  expect(toInstant('1970-01-01T01:00:00+01:00')).toBe(0);
  expect(toInstant(new Date(5))).toBe(5);
  expect(toInstant(5_500_000n, 'timestamp[us, UTC]')).toBe(5_500);
  expect(toInstant(5n, 'timestamp[s]')).toBe(5_000);
  expect(toInstant(5_500, 'timestamp[us]')).toBe(5_500);
  expect(['soon', Number.NaN, {}, null, true].map((value) => toInstant(value))).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});
