import { decimal, fixedSizeList, float32, int64, list, struct, timestamp, utf8 } from '@uwdata/flechette';
import { describe, expect, test } from 'vitest';
import { arrowBytes } from '../testing/arrow-rows.ts';
import { decodeArrowRows, readArrowRows } from './arrow-rows.ts';

const streamOf = (...chunks: Uint8Array[]) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
  );

const bytes = arrowBytes({ n: [1, 2, 3], name: ['a', 'b', null] });

describe('rows from a stream', () => {
  test('come whole, however they are cut', async () => {
    for (const at of [1, 7, bytes.length - 3]) {
      const { table, sizeBytes } = await readArrowRows(streamOf(bytes.subarray(0, at), bytes.subarray(at)));
      expect([table.numRows, table.getChild('name').at(2), sizeBytes]).toEqual([3, null, bytes.length]);
    }
  });

  test('without the end marker are broken', async () => {
    const error = await readArrowRows(streamOf(bytes.subarray(0, bytes.length - 8))).catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({ code: 'STREAM_BROKEN', hint: expect.stringContaining('Try again') });
    await expect(readArrowRows(streamOf())).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
    await expect(readArrowRows(streamOf(new TextEncoder().encode('hello')))).rejects.toMatchObject({
      code: 'STREAM_BROKEN',
    });
  });

  test('that break in the middle are broken, those that were given up are aborted', async () => {
    const breaking = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(bytes.subarray(0, 10));
            controller.error(new Error('reset'));
          },
        }),
      );
    await expect(readArrowRows(breaking())).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
    await expect(readArrowRows(breaking(), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });
});

test('values keep all their digits, also inside of others', () => {
  const big = 9007199254740993n;
  const { table } = decodeArrowRows(
    arrowBytes(
      {
        id: [big],
        at: [1714744931123],
        price: [12.5],
        ids: [[big, 1n]],
        box: [{ id: big, label: 'x' }],
        vector: [[0.5, -1]],
      },
      {
        id: int64(),
        at: timestamp(2, 'UTC'),
        price: decimal(12, 2, 128),
        ids: list(int64()),
        box: struct({ id: int64(), label: utf8() }),
        vector: fixedSizeList(float32(), 2),
      },
    ),
  );
  const read = (name: string): unknown => table.getChild(name).at(0);
  expect([
    read('id'),
    read('at'),
    read('price'),
    Array.from(read('ids') as bigint[]),
    read('box'),
    Array.from(read('vector') as number[]),
  ]).toEqual([big, 1714744931123000n, 1250n, [big, 1n], { id: big, label: 'x' }, [0.5, -1]]);
});
