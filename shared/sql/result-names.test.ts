import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distinctResultNames } from './result-names.ts';

test('a name that comes again is counted', () => {
  expect(distinctResultNames(['id', 'name', 'id', 'id'])).toEqual(['id', 'name', 'id_1', 'id_2']);
});

test('names are distinct, and those that are already stay as they are', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'a_1', 'a_1_1', 'a_2', '')), (names) => {
      const distinct = distinctResultNames(names);
      expect(new Set(distinct).size).toBe(names.length);
      names.forEach((name, index) => {
        if (names.indexOf(name) === index) expect(distinct[index]).toBe(name);
      });
    }),
  );
});
