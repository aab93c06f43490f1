import { expect, test } from 'vitest';
import { makeArrowTable } from '../testing/columns.ts';
import { encodeBatch, encodeBatchInPieces } from './stream-of-tables.ts';

test.each([3, 30_000])(
  'a batch of %i rows in pieces is the same bytes, its large columns as they are',
  (rows) => {
    const [batch] = makeArrowTable({
      n: { type: 'int64', values: BigInt64Array.from({ length: rows }, (_none, i) => BigInt(i)) },
      text: { type: 'utf8', values: Array.from({ length: rows }, (_none, i) => (i % 3 ? `row ${i}` : null)) },
    }).batches;
    if (!batch) throw new Error('There is no batch.');
    const pieces = encodeBatchInPieces(batch);
    expect(Buffer.concat(pieces).equals(encodeBatch(batch) as Uint8Array)).toBe(true);
    const numbers = batch.getChild('n')?.data[0]?.values as BigInt64Array;
    expect(pieces.some(({ buffer }) => buffer === numbers.buffer)).toBe(rows > 1000);
  },
);
