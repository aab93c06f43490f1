import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf, countCodes, countRowsIn, markFailures, maskOfBoth, maskWithout } from './count-facets.ts';
import { brushCube, type CubeRows, type CubeShape, createCubeCounter, rowsAtOnce, runsOf } from './cube.ts';

function cubeOf(shape: CubeShape, ...blocks: CubeRows[]) {
  const counter = createCubeCounter(shape);
  for (const block of blocks) counter.add(block);
  return counter.finish();
}

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
        const half = a.length >> 1;
        const part = (start: number, end: number): CubeRows => ({
          active: a.subarray(start, end),
          other: { codes: b.subarray(start, end) },
          mask: mask?.subarray(start, end) ?? null,
        });
        const cube = cubeOf(
          { codes: 7, otherCodes: 5, place: Uint8Array.of(0, 0, 1, 2, 3), width: 4 },
          part(0, half),
          part(half, a.length),
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
    const cube = cubeOf(
      { codes: 2, otherCodes: 3, place: Uint8Array.of(0, 1, 2), width: 3 },
      {
        active: Uint8Array.of(0, 1, 1),
        other: { codes: Uint8Array.of(0, 1, 1, 2), offsets: Uint32Array.of(0, 2, 3, 4) },
        mask: null,
      },
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
        const { marks, owners } = markFailures(own.length, conditions);
        for (const without of [[], ['a'], ['b']]) {
          const mask = maskWithout(marks, owners, without);
          const naive = [...own.keys()].filter((row) =>
            conditions.every(({ mask: of, owner }) => of[row] === 1 || without.includes(owner ?? '')),
          );
          expect(countRowsIn(mask)).toBe(naive.length);
          const counts = [0, 0, 0, 0];
          for (const row of naive) counts[own[row]!]! += 1;
          const found = new Float64Array(256);
          countCodes({ codes: own }, mask, found);
          expect([...found.subarray(0, 4)]).toEqual(counts);
        }
      }),
    );
  });

  it('go over all rows block by block', () => {
    const rows = 2 * rowsAtOnce + 3;
    expect([...blocksOf(rows)]).toEqual([
      [0, rowsAtOnce],
      [rowsAtOnce, 2 * rowsAtOnce],
      [2 * rowsAtOnce, rows],
    ]);
    expect([...blocksOf(0)]).toEqual([]);
  });

  it('count the elements of a block of lists', () => {
    const codes = Uint8Array.of(0, 1, 1, 2);
    const counts = new Float64Array(256);
    countCodes({ codes, offsets: Uint32Array.of(0, 2, 3).subarray(1) }, null, counts);
    countCodes({ codes, offsets: Uint32Array.of(2, 3, 4) }, Uint8Array.of(0, 1), counts);
    expect([...counts.subarray(0, 3)]).toEqual([0, 1, 1]);
    expect(maskOfBoth(Uint8Array.of(1, 1, 0), Uint8Array.of(1, 0, 0))).toEqual(Uint8Array.of(1, 0, 0));
  });
});
