import { expect, test } from 'vitest';
import { canCast } from './can-cast.ts';

test.each([
  ['int32', 'int64', true],
  ['float64', 'int8', true],
  ['utf8', 'timestamp[us, UTC]', true],
  ['timestamp[ns]', 'date32', true],
  ['dictionary<int32, utf8>', 'int64', true],
  ['fixed_size_list<float32>[4]', 'fixed_size_list<float16>[4]', true],
  ['fixed_size_list<float32>[4]', 'fixed_size_list<float32>[8]', false],
  ['int32', 'timestamp[ns]', false],
  ['time32[ms]', 'duration[ms]', false],
  ['binary', 'utf8', false],
  ['utf8', 'blob', false],
  ['struct<x: int32>', 'utf8', false],
])('%s can be read as %s: %s', (from, to, expected) => {
  expect(canCast(from, to)).toBe(expected);
});
