import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCodes, countRowsIn, markFailures, maskOfBoth, maskWithout } from './count-facets.ts';
import { brushCube, countCube, finish, rowsAtOnce, runsOf } from './cube.ts';

const codes = (rows: number, size: number) =>
  fc.array(fc.nat(size - 1), { minLength: rows, maxLength: rows }).map((list) => Uint8Array.from(list));
const masks = (rows: number) => codes(rows, 2);
const cases = fc.nat(60).chain((rows) =>
  fc.record({
    a: codes(rows, 7),
    b: codes(rows, 5),
    mask: fc.option(masks(rows)),
    from: fc.nat(7),
    to: fc.nat(7),
  }),
);

describe('a cube', () => {
  it('counts any brush as a pass over the rows does', () => {
    fc.assert(
      fc.property(cases, ({ a, b, mask, from, to }) => {
        const cube = finish(
          countCube({
            active: { codes: a, size: 7 },
            other: { codes: b, size: 5 },
            place: Uint8Array.of(0, 0, 1, 2, 3),
            width: 4,
            mask,
          }),
        );
        const [low, high] = from <= to ? [from, to] : [to, from];
        const naive = [0, 0, 0, 0];
        a.forEach((code, row) => {
          if (code >= low && code < high && (!mask || mask[row] === 1))
            naive[[0, 0, 1, 2, 3][b[row]!]!]! += 1;
        });
        expect(brushCube(cube, [[low, high]])).toEqual(naive);
      }),
    );
  });

  it('counts rows of lists once per element, and an empty brush as nothing', () => {
    const cube = finish(
      countCube({
        active: { codes: Uint8Array.of(0, 1, 1), size: 2 },
        other: { codes: Uint8Array.of(0, 1, 1, 2), offsets: Uint32Array.of(0, 2, 3, 4), size: 3 },
        place: Uint8Array.of(0, 1, 2),
        width: 3,
        mask: null,
      }),
    );
    expect(brushCube(cube, [[0, 2]])).toEqual([1, 2, 1]);
    expect(brushCube(cube, [[1, 2]])).toEqual([0, 1, 1]);
    expect(brushCube(cube, [])).toEqual([0, 0, 0]);
  });

  it('takes several runs', () => {
    expect(runsOf([4, 0, 1, 6, 5])).toEqual([
      [0, 2],
      [4, 7],
    ]);
  });
});

describe('counts under conditions', () => {
  it('leave out the conditions of the column itself only', () => {
    const inputs = fc.nat(40).chain((rows) =>
      fc.record({
        own: codes(rows, 4),
        conditions: fc.array(fc.record({ mask: masks(rows), owner: fc.constantFrom('a', 'b', null) }), {
          maxLength: 4,
        }),
      }),
    );
    fc.assert(
      fc.property(inputs, ({ own, conditions }) => {
        const { marks, owners } = finish(markFailures(own.length, conditions));
        for (const without of [[], ['a'], ['b']]) {
          const mask = finish(maskWithout(marks, owners, without));
          const naive = [...own.keys()].filter((row) =>
            conditions.every(({ mask: of, owner }) => of[row] === 1 || without.includes(owner ?? '')),
          );
          expect(finish(countRowsIn(mask))).toBe(naive.length);
          const counts = [0, 0, 0, 0];
          for (const row of naive) counts[own[row]!]! += 1;
          expect([...finish(countCodes({ codes: own, size: 4 }, mask))]).toEqual(counts);
        }
      }),
    );
  });

  it('pause between blocks of rows, and are right across them', () => {
    const rows = 2 * rowsAtOnce + 3;
    const own = Uint8Array.from({ length: rows }, (_none, row) => row % 3);
    const offsets = Uint32Array.from({ length: rows + 1 }, (_none, row) => row);
    const mask = own.map((code) => (code === 2 ? 0 : 1));
    const blocksOf = (steps: Generator<void, unknown>): number => {
      let blocks = 0;
      while (!steps.next().done) blocks += 1;
      return blocks;
    };
    const { marks, owners } = finish(markFailures(rows, [{ mask, owner: 'a' }]));
    const pauses = [
      markFailures(rows, [{ mask, owner: 'a' }]),
      maskWithout(marks, owners, []),
      maskOfBoth(mask, mask),
      countRowsIn(mask),
      countCodes({ codes: own, size: 3 }, mask),
      countCodes({ codes: own, offsets, size: 3 }, null),
    ].map(blocksOf);
    expect(pauses).toEqual([3, 3, 3, 3, 3, 3]);
    const third = Math.ceil(rows / 3);
    const [zeros, ones] = [third, Math.ceil((rows - 1) / 3)];
    const inside = finish(maskOfBoth(finish(maskWithout(marks, owners, [])), mask));
    expect(finish(countRowsIn(inside))).toBe(zeros + ones);
    for (const column of [
      { codes: own, size: 3 },
      { codes: own, offsets, size: 3 },
    ])
      expect([...finish(countCodes(column, inside))]).toEqual([zeros, ones, 0]);
  });
});
