import { expect, test } from 'vitest';
import { largestPieceBytes, PieceBuffers } from './piece-buffers.ts';

test('a buffer that was given back serves the next reader of its size, in the length that is asked for', () => {
  const buffers = new PieceBuffers();
  const first = buffers.take(20_000);
  expect(first.byteLength).toBe(20_000);
  expect(buffers.take(20_000).buffer).not.toBe(first.buffer);
  buffers.give(first);
  const again = buffers.take(32_768);
  expect([again.buffer === first.buffer, again.byteLength]).toEqual([true, 32_768]);
});

test('one that is given back twice is there once', () => {
  const buffers = new PieceBuffers();
  const one = buffers.take(100);
  buffers.give(one);
  buffers.give(one);
  expect(buffers.take(100).buffer).not.toBe(buffers.take(100).buffer);
});

test('what is larger than a piece, and what is not from here, is left alone', () => {
  const buffers = new PieceBuffers();
  const large = buffers.take(largestPieceBytes + 1);
  buffers.give(large);
  expect(buffers.take(largestPieceBytes + 1).buffer).not.toBe(large.buffer);
  const foreign = new Uint8Array(16 * 1024);
  buffers.give(foreign);
  expect(buffers.take(16 * 1024).buffer).not.toBe(foreign.buffer);
});
