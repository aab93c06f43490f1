import type { Associations } from '#shared/api/facets.ts';
import { associate } from '#shared/domain/facets/association.ts';
import { binCountOf, specialCodes } from '#shared/domain/facets/bins.ts';
import { countCube } from '#shared/domain/facets/cube.ts';
import type { FacetColumn } from './lance-facets.ts';

type Pair = Associations['pairs'][number];

/** How far each pair of columns goes together over the rows of a mask; yields between blocks of rows. */
export function* associateColumns(
  facets: readonly FacetColumn[],
  mask: Uint8Array | null,
): Generator<void, Pair[]> {
  const pairs: Pair[] = [];
  for (const [at, a] of facets.entries())
    for (const b of facets.slice(at + 1)) pairs.push(yield* associatePair(a, b, mask));
  return pairs;
}

function* associatePair(a: FacetColumn, b: FacetColumn, mask: Uint8Array | null): Generator<void, Pair> {
  const height = binCountOf(a.bins);
  const width = binCountOf(b.bins);
  const { size } = specialCodes(width);
  const place = Uint8Array.from({ length: size }, (_none, code) => code);
  const { prefix } = yield* countCube({ active: a, other: b, place, width: size, mask });
  const cells = new Float64Array(height * width);
  for (let code = 0; code < height; code++)
    for (let other = 0; other < width; other++)
      cells[code * width + other] = prefix[(code + 1) * size + other]! - prefix[code * size + other]!;
  const isOrdered = [a.bins.kind === 'ordered', b.bins.kind === 'ordered'] as const;
  return { a: a.column, b: b.column, ...associate({ cells, height, width, isOrdered }) };
}
