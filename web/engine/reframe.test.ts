import { int32, tableFromArrays, tableFromIPC, tableToIPC, utf8 } from '@uwdata/flechette';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countRows } from './ipc-message.ts';
import { completeStream, reframeStream } from './reframe.ts';

/** A stream of several batches: batches of streams with one schema, behind each other. */
function streamOf(sizes: readonly number[]): Uint8Array {
  const streams = sizes.map((rows, batch) => {
    const numbers = Array.from({ length: rows }, (_, row) => batch * 1000 + row);
    const table = tableFromArrays(
      { n: numbers, t: numbers.map((n) => `text ${n}`) },
      { types: { n: int32(), t: utf8() } },
    );
    return tableToIPC(table, { format: 'stream' }) as Uint8Array;
  });
  const schemaLength = 8 + new DataView((streams[0] as Uint8Array).buffer).getInt32(4, true);
  const parts = streams.map((stream, index) =>
    stream.subarray(index === 0 ? 0 : schemaLength, stream.byteLength - 8),
  );
  return completeStream(parts);
}

async function* cutAt(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let index = 0; at < bytes.byteLength; index += 1) {
    const size = sizes[index % sizes.length] as number;
    yield bytes.slice(at, at + size);
    at += size;
  }
}

const numbersOf = (stream: Uint8Array): unknown[] => [
  ...(tableFromIPC(stream).getChild('n')?.toArray() ?? []),
];

test('any cuts on the way give complete streams with the same rows in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 3000 }),
      async (batches, cuts, target) => {
        const bytes = streamOf(batches);
        const found: unknown[] = [];
        let streams = 0;
        for await (const stream of reframeStream(cutAt(bytes, cuts), target)) {
          found.push(...numbersOf(stream));
          streams += 1;
        }
        expect(found).toEqual(numbersOf(bytes));
        expect(streams).toBeLessThanOrEqual(batches.length);
      },
    ),
    { numRuns: 60 },
  );
});

test('a stream without rows is one complete stream', async () => {
  const streams: Uint8Array[] = [];
  for await (const stream of reframeStream(cutAt(streamOf([0]), [1000]), 10)) streams.push(stream);
  expect(streams).toHaveLength(1);
  expect(tableFromIPC(streams[0] as Uint8Array).schema.fields.map(({ name }) => name)).toEqual(['n', 't']);
});

test('a stream that breaks off is no stream', async () => {
  const bytes = streamOf([5, 5]);
  const read = async () => {
    for await (const _stream of reframeStream(cutAt(bytes.subarray(0, bytes.byteLength - 8), [100]), 10));
  };
  await expect(read()).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
});

test('rows are counted without decoding', () => {
  expect(countRows(streamOf([3, 0, 4]))).toBe(7);
});
