import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeArrowTable } from '../../testing/columns.ts';
import { indexKeys, type Keys } from './write-keys.ts';

const keysOf = (type: string, values: readonly unknown[]): Keys => {
  const table = makeArrowTable({ key: { type, values: [...values] } });
  return {
    fields: table.schema.fields,
    columns: [table.batches[0]!.data.children[0]!],
    length: values.length,
  };
};

const far = 2n ** 62n;
const bigNumbers = fc.oneof(fc.bigInt(-20n, 20n), fc.constantFrom(far, -far, far + 1n, 2n ** 40n, null));

test.each([
  ['int64', bigNumbers],
  ['int32', fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constant(null))],
  ['utf8', fc.constantFrom('', 'a', 'b', '1', null)],
] as const)('keys of type %s are found where they are, and nowhere else', (type, values) => {
  fc.assert(
    fc.property(
      fc.array(values as fc.Arbitrary<unknown>),
      fc.array(values as fc.Arbitrary<unknown>),
      (known, asked) => {
        const index = indexKeys(keysOf(type, known));
        const others = keysOf(type, asked);
        for (const [row, key] of asked.entries()) {
          const last = key === null ? -1 : known.lastIndexOf(key);
          expect(index.find(others, row) ?? -1).toBe(last);
        }
        expect(index.size).toBe(new Set(known.filter((key) => key !== null)).size);
      },
    ),
  );
});
