import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuseRanks } from './fuse-ranks.ts';

describe('reciprocal rank fusion', () => {
  it('puts first what stands high in both lists', () => {
    expect(
      fuseRanks([
        ['a', 'b', 'c'],
        ['b', 'd'],
      ]),
    ).toEqual([
      { id: 'b', score: 1 / 62 + 1 / 61, ranks: [2, 1] },
      { id: 'a', score: 1 / 61, ranks: [1, null] },
      { id: 'd', score: 1 / 62, ranks: [null, 2] },
      { id: 'c', score: 1 / 63, ranks: [3, null] },
    ]);
  });

  it('has every row once and does not care for the order of the lists', () => {
    const list = fc.uniqueArray(fc.nat(20), { maxLength: 12 });
    fc.assert(
      fc.property(list, list, (a, b) => {
        const fused = fuseRanks([a, b]);
        expect(fused.map(({ id }) => id).sort()).toEqual([...new Set([...a, ...b])].sort());
        const scores = new Map(fuseRanks([b, a]).map(({ id, score }) => [id, score]));
        for (const { id, score } of fused) expect(scores.get(id)).toBeCloseTo(score, 12);
      }),
    );
  });
});
