import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 })
  .map((lines) => lines.join('\n'));

test('without what was added it is the old text, without what was removed the new one', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const lines = diffLines(before, after);
      const without = (kind: string) =>
        lines
          .filter((line) => line.kind !== kind)
          .map(({ text }) => text)
          .join('\n');
      expect([without('added'), without('removed')]).toEqual([before, after]);
      if (before === after) expect(lines.every(({ kind }) => kind === 'same')).toBe(true);
    }),
  );
});

test('a line in the middle', () => {
  expect(diffLines('SELECT *\nFROM a\nLIMIT 1', 'SELECT *\nFROM b\nLIMIT 1')).toEqual([
    { kind: 'same', text: 'SELECT *' },
    { kind: 'removed', text: 'FROM a' },
    { kind: 'added', text: 'FROM b' },
    { kind: 'same', text: 'LIMIT 1' },
  ]);
});
