import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstRows, rowsFromZero, type SortKey, sortRows } from './radix-sort.ts';
import { rankTexts, type Texts } from './rank-texts.ts';

interface Cell {
  high: number;
  low: number;
  isNull: boolean;
}

const word = fc.oneof(
  fc.constantFrom(0, 1, 2047, 2048, 0x7fff_ffff, 0xffff_ffff),
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.integer({ min: 0, max: 3 }),
);
const column = (rows: number) =>
  fc.record({
    cells: fc.array(fc.record({ high: word, low: word, isNull: fc.boolean() }), {
      minLength: rows,
      maxLength: rows,
    }),
    desc: fc.boolean(),
    hasNulls: fc.boolean(),
    hasNullsFirst: fc.boolean(),
  });
type Column = { cells: Cell[]; desc: boolean; hasNulls: boolean; hasNullsFirst: boolean };

const keyOf = ({ cells, desc, hasNulls, hasNullsFirst }: Column): SortKey => ({
  words: [Uint32Array.from(cells, ({ high }) => high), Uint32Array.from(cells, ({ low }) => low)],
  nulls: hasNulls ? Uint8Array.from(cells, ({ isNull }) => Number(isNull)) : null,
  desc,
  hasNullsFirst,
});

function compareRows(columns: Column[], a: number, b: number): number {
  for (const { cells, desc, hasNulls, hasNullsFirst } of columns) {
    const [left, right] = [cells[a]!, cells[b]!];
    if (hasNulls && left.isNull !== right.isNull) return left.isNull === hasNullsFirst ? -1 : 1;
    const order = left.high - right.high || left.low - right.low;
    if (order !== 0) return desc ? -order : order;
  }
  return a - b;
}

const table = fc
  .integer({ min: 0, max: 60 })
  .chain((rows) => fc.array(column(rows), { minLength: 1, maxLength: 3 }));

describe('sorting by words', () => {
  it('gives the order of a comparison sort, equal rows as they came, nulls where they are wanted', () => {
    fc.assert(
      fc.property(table, (columns) => {
        const rows = columns[0]!.cells.length;
        const expected = [...rowsFromZero(rows)].sort((a, b) => compareRows(columns, a, b));
        expect([...sortRows(columns.map(keyOf), rowsFromZero(rows))]).toEqual(expected);
      }),
    );
  });

  it('finds the first rows without sorting the rest', () => {
    const rows = 20_000;
    const values = Uint32Array.from({ length: rows }, (_, i) => Math.imul(i, 2_654_435_761) >>> 0);
    const nulls = Uint8Array.from({ length: rows }, (_, i) => Number(i % 7 === 0));
    for (const desc of [false, true]) {
      const keys: SortKey[] = [{ words: [values], nulls, desc, hasNullsFirst: false }];
      const first = firstRows(keys, rows, 100);
      expect(first && [...first]).toEqual([...sortRows(keys, rowsFromZero(rows)).subarray(0, 100)]);
    }
  });

  it('leaves the first rows to the whole sort where values hardly differ', () => {
    expect(
      firstRows(
        [{ words: [new Uint32Array(10_000)], nulls: null, desc: false, hasNullsFirst: false }],
        10_000,
        10,
      ),
    ).toBe(null);
    expect(
      firstRows(
        [
          {
            words: [new Uint32Array(10_000)],
            nulls: new Uint8Array(10_000).fill(1),
            desc: false,
            hasNullsFirst: false,
          },
        ],
        10_000,
        10,
      ),
    ).toBe(null);
  });
});

const textsOf = (texts: string[]): Texts => {
  const parts = texts.map((text) => Buffer.from(text, 'utf8'));
  const ends = new Float64Array(texts.length + 1);
  parts.forEach((part, i) => {
    ends[i + 1] = ends[i]! + part.length;
  });
  return { bytes: Buffer.concat(parts), ends };
};

describe('ranks of texts', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('a', 'b', '\0') }),
    fc.string({ unit: 'grapheme' }),
    fc
      .tuple(
        fc.constantFrom('a long shared beginning ', 'another shared beginning '),
        fc.string({ unit: fc.constantFrom('x', 'y', '\0', 'ß') }),
      )
      .map((parts) => parts.join('')),
  );

  it('compare as the texts do by their bytes', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 120 }), (texts) => {
        const ranks = rankTexts(textsOf(texts));
        const sorted = [...new Set(texts)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect([...ranks]).toEqual(texts.map((item) => sorted.indexOf(item)));
      }),
    );
  });
});
