import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

const known = (text: string): string => createHash('sha256').update(text).digest('hex');

test('gives what every other SHA-256 gives', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 119, 120, 1000]) {
    const text = 'ä'.repeat(length);
    expect([length, sha256(text)]).toEqual([length, known(text)]);
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => sha256(text) === known(text)),
  );
});
