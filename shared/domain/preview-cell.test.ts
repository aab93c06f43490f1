import { expect, test } from 'vitest';
import { previewCell } from './preview-cell.ts';

test.each([
  ['cat', 'cat', false],
  [null, null, false],
  ['x'.repeat(300), `${'x'.repeat(200)}…`, true],
  [Array.from({ length: 512 }, (_, at) => at / 2), '512 numbers', true],
  [[1, 2], [1, 2], false],
  [{ a: { b: { c: { d: 1 } } } }, { a: { b: { c: '…' } } }, true],
  [Array.from({ length: 20 }, () => 'tag'), Array.from({ length: 12 }, () => 'tag'), true],
])('%j', (value, preview, isCut) => expect(previewCell(value)).toEqual({ preview, isCut }));
