import type { Associations } from '#shared/api/facets.ts';
import { associate } from '#shared/domain/facets/association.ts';
import { binCountOf } from '#shared/domain/facets/bins.ts';
import { blocksOf, countRowsIn, markFailures, maskWithout } from '#shared/domain/facets/count-facets.ts';
import { type Cube, createCubeCounter } from '#shared/domain/facets/cube.ts';
import type { RowCondition } from './count-rows.ts';
import type { FacetColumn } from './facet-column.ts';

type Pair = Associations['pairs'][number];

export interface AssociateInput {
  rows: number;
  facets: readonly FacetColumn[];
  conditions: readonly RowCondition[];
}

/** Tables of a pair take half a megabyte while they are counted. */
const pairsAtOnce = 64;

/** How far each pair of columns goes together over the rows that pass; yields between blocks of rows. */
export function* associateColumns({
  rows,
  facets,
  conditions,
}: AssociateInput): Generator<void, { counted: number; pairs: Pair[] }> {
  const all = facets.flatMap((_facet, a) =>
    facets.slice(a + 1).map((_other, at) => [a, a + 1 + at] as const),
  );
  const pairs: Pair[] = [];
  let counted = rows;
  for (let first = 0; first < all.length; first += pairsAtOnce) {
    const group = all
      .slice(first, first + pairsAtOnce)
      .map(([a, b]) => ({ a, b, counter: counterOf(facets[a]!, facets[b]!) }));
    counted = 0;
    for (const [from, to] of blocksOf(rows)) {
      const mask = maskOfAll(conditions, from, to);
      counted += mask ? countRowsIn(mask) : to - from;
      const coded = facets.map((facet) => facet.block(from, to));
      for (const { a, b, counter } of group) counter.add({ active: coded[a]!.codes, other: coded[b]!, mask });
      yield;
    }
    for (const { a, b, counter } of group) pairs.push(pairOf(facets[a]!, facets[b]!, counter.finish()));
  }
  return { counted, pairs };
}

function maskOfAll(conditions: readonly RowCondition[], from: number, to: number): Uint8Array | null {
  if (conditions.length === 0) return null;
  const masked = conditions.map((condition) => ({ owner: null, mask: condition.mask(from, to) }));
  return maskWithout(markFailures(to - from, masked).marks, [], []);
}

const counterOf = (a: FacetColumn, b: FacetColumn) =>
  createCubeCounter({
    codes: a.size,
    otherCodes: b.size,
    place: Uint8Array.from({ length: b.size }, (_none, code) => code),
    width: b.size,
  });

function pairOf(a: FacetColumn, b: FacetColumn, { prefix, width: size }: Cube): Pair {
  const height = binCountOf(a.bins);
  const width = binCountOf(b.bins);
  const cells = new Float64Array(height * width);
  for (let code = 0; code < height; code++)
    for (let other = 0; other < width; other++)
      cells[code * width + other] = prefix[(code + 1) * size + other]! - prefix[code * size + other]!;
  const isOrdered = [a.bins.kind === 'ordered', b.bins.kind === 'ordered'] as const;
  return { a: a.column, b: b.column, ...associate({ cells, height, width, isOrdered }) };
}
