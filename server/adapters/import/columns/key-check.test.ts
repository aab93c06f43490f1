import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrow, type DataType, type RecordBatch } from '../../../arrow/arrow.ts';
import { KeyCheck, type KeyFault } from './key-check.ts';

function batchOf(columns: Record<string, { type: DataType; values: readonly unknown[] }>): RecordBatch {
  const fields = Object.entries(columns).map(([name, { type }]) => new arrow.Field(name, type, true));
  const children = Object.values(columns).map(
    ({ type, values }) => arrow.vectorFromArray([...values], type).data[0]!,
  );
  const length = children[0]!.length;
  const schema = new arrow.Schema(fields);
  return new arrow.RecordBatch(
    schema,
    arrow.makeData({
      type: new arrow.Struct(fields),
      length,
      nullCount: 0,
      children: children as never,
    }) as never,
  );
}

async function check(names: string[], batches: RecordBatch[]): Promise<KeyFault | null> {
  const keys = new KeyCheck(names);
  for (const batch of batches) {
    const fault = keys.add(batch);
    if (fault) return fault;
  }
  return keys.finish(async function* () {
    yield* batches;
  });
}

const texts = (...values: (string | null)[]) => batchOf({ id: { type: new arrow.Utf8(), values } });
const ints = (...values: (bigint | null)[]) => batchOf({ id: { type: new arrow.Int64(), values } });

describe('KeyCheck', () => {
  it('takes keys that differ, in any order', async () => {
    expect(await check(['id'], [texts('b', 'a'), texts('c')])).toBeNull();
    expect(await check(['id'], [ints(3n, 1n), ints(2n)])).toBeNull();
    expect(await check(['id'], [ints(1n, 2n), ints(3n)])).toBeNull();
  });

  it('names the first repeated key and its rows, across batches', async () => {
    expect(await check(['id'], [texts('a', 'b'), texts('c', 'b')])).toEqual({
      kind: 'repeated',
      rows: [1, 3],
      value: 'b',
    });
    expect(await check(['id'], [ints(1n, 2n), ints(2n)])).toEqual({
      kind: 'repeated',
      rows: [1, 2],
      value: '2',
    });
  });

  it('names the first row without a key', async () => {
    expect(await check(['id'], [texts('a'), texts('b', null)])).toEqual({
      kind: 'null',
      row: 2,
      column: 'id',
    });
  });

  it('tells the columns of a key apart', async () => {
    const pairs = (a: string[], b: string[]) =>
      batchOf({ a: { type: new arrow.Utf8(), values: a }, b: { type: new arrow.Utf8(), values: b } });
    expect(await check(['a', 'b'], [pairs(['x', 'xy'], ['yz', 'z'])])).toBeNull();
    expect(await check(['a', 'b'], [pairs(['x', 'x'], ['y', 'y'])])).toEqual({
      kind: 'repeated',
      rows: [0, 1],
      value: 'x, y',
    });
  });

  it('agrees with a set, for whole numbers beyond 2^53 and for texts', async () => {
    const bigs = fc.array(
      fc.oneof(fc.bigInt({ min: -3n, max: 3n }), fc.bigInt({ min: 2n ** 62n, max: 2n ** 62n + 4n })),
      { minLength: 1, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(bigs, async (values) => {
        const fault = await check(['id'], [ints(...values)]);
        expect(fault === null).toBe(new Set(values).size === values.length);
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 20 }),
        async (values) => {
          const fault = await check(['id'], [texts(...values)]);
          expect(fault === null).toBe(new Set(values).size === values.length);
        },
      ),
    );
  });
});
