import { expect, test } from 'vitest';
import { parseByteRange } from './byte-range.ts';

test.each([
  [undefined, null],
  ['bytes=0-', { start: 0, end: 100 }],
  ['bytes=10-19', { start: 10, end: 20 }],
  ['bytes=90-500', { start: 90, end: 100 }],
  ['bytes=-7', { start: 93, end: 100 }],
  ['bytes=-700', { start: 0, end: 100 }],
  ['bytes=0-1,5-6', null],
  ['bytes=9-3', null],
  ['rows=1-2', null],
  ['bytes=-', null],
])('%s of 100 bytes', (header, expected) => {
  expect(parseByteRange(header, 100)).toEqual(expected);
});

test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s of 100 bytes is outside', (header) => {
  expect(() => parseByteRange(header, 100)).toThrow(expect.objectContaining({ code: 'RANGE' }));
});

test('an empty value has no range', () => {
  expect(() => parseByteRange('bytes=0-', 0)).toThrow(expect.objectContaining({ code: 'RANGE' }));
});
