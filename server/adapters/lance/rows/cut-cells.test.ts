import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeArrowTable } from '../../../testing/columns.ts';
import { batchWithCuts, cutCells } from './cut-cells.ts';

const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 40 }));

test('long texts are cut at whole characters, the others stay, and each cut is said with its size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ a: text, b: text }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 20 }),
      (rows, maxBytes) => {
        const table = makeArrowTable({
          a: { type: 'utf8', values: rows.map(({ a }) => a) },
          b: { type: 'large_utf8', values: rows.map(({ b }) => b) },
          n: { type: 'int32', values: rows.map((_row, i) => i) },
        });
        const cut = cutCells(table.batches[0]!, maxBytes);
        const batch = batchWithCuts(cut);
        for (const [i, row] of rows.entries()) {
          const said = JSON.parse((batch.getChild('_cut')!.get(i) as string | null) ?? '{}') as Record<
            string,
            number
          >;
          for (const name of ['a', 'b'] as const) {
            const whole = row[name];
            const shown = batch.getChild(name)!.get(i) as string | null;
            const size = whole === null ? 0 : Buffer.byteLength(whole);
            if (size <= maxBytes) expect([shown, said[name]]).toEqual([whole, undefined]);
            else {
              expect(said[name]).toBe(size);
              expect(whole!.startsWith(shown!)).toBe(true);
              expect(Buffer.byteLength(shown!)).toBeLessThanOrEqual(maxBytes);
              expect(Buffer.byteLength(shown!)).toBeGreaterThan(maxBytes - 4);
            }
          }
          expect(batch.getChild('n')!.get(i)).toBe(i);
        }
      },
    ),
  );
});

test('a batch without long texts is the same batch', () => {
  const [batch] = makeArrowTable({ a: { type: 'utf8', values: ['short', null] } }).batches;
  expect(cutCells(batch!, 5)).toEqual({ batch, cuts: null });
});
