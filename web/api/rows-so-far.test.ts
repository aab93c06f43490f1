import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMessage } from '../engine/ipc-message.ts';
import { arrowBytes } from '../testing/arrow-rows.ts';
import { type ArrowRows, decodeArrowRows, readArrowRows } from './arrow-rows.ts';
import { RowsSoFar } from './rows-so-far.ts';

const batch = (from: number): Uint8Array => arrowBytes({ n: [from, from + 1], name: [`a${from}`, null] });
const markerBytes = 8;

/** One stream of several batches, made from streams of one each. */
function longStream(batches: number): Uint8Array {
  const first = batch(0);
  const schemaBytes = readMessage(first)?.length ?? 0;
  const bodies = Array.from({ length: batches }, (_, at) =>
    batch(at * 2).subarray(schemaBytes, -markerBytes),
  );
  const parts = [first.subarray(0, schemaBytes), ...bodies, first.subarray(-markerBytes)];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const cut = (bytes: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const ends = [...places.map((place) => place % bytes.byteLength), bytes.byteLength].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
};

describe('rows while they arrive', () => {
  test('whole batches are there, however the stream is cut', () => {
    const stream = longStream(4);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 8 }), (places) => {
        const rows = new RowsSoFar();
        let before = 0;
        for (const chunk of cut(stream, places)) {
          rows.add(chunk);
          if (rows.rows === before) continue;
          before = rows.rows;
          const { table } = decodeArrowRows(rows.complete());
          expect([...table.getChild('n').toArray()]).toEqual(Array.from({ length: before }, (_, at) => at));
        }
        expect(before).toBe(8);
        expect(rows.all()).toEqual(stream);
      }),
    );
  });

  test('are shown when it is time, and not again before there are many more', () => {
    let now = 0;
    const rows = new RowsSoFar(() => now);
    rows.add(longStream(2));
    expect(rows.isDue).toBe(false);
    now = 1_000;
    expect(rows.isDue).toBe(true);
    rows.complete();
    now = 9_000;
    expect(rows.isDue).toBe(false);
  });

  test('a stream that is too large is left, and says how many rows it has', async () => {
    const stream = longStream(50);
    let isLeft = false;
    const half = stream.byteLength >> 1;
    const response = new Response(
      new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(stream.subarray(0, half)),
        cancel: () => {
          isLeft = true;
        },
      }),
    );
    const parts: ArrowRows[] = [];
    const rows = await readArrowRows(response, { maxBytes: 200, onPart: (part) => parts.push(part) });
    expect([isLeft, rows.facts.scope, rows.table.numRows > 10]).toEqual([
      true,
      `first ${rows.table.numRows}`,
      true,
    ]);
  });
});
