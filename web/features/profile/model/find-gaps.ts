import type { Facet } from '#shared/api/facets.ts';

export interface Gap {
  from: number;
  to: number;
  bins: number;
}

/** Runs of bins without any row between the first and the last that have some, the longest first. */
export function findGaps({ bins, all }: Pick<Facet, 'bins' | 'all'>, most = 3): Gap[] {
  const count = Math.max(0, bins.edges.length - 1);
  const gaps: Gap[] = [];
  let start = -1;
  for (let bin = 0; bin < count; bin++) {
    if ((all[bin] ?? 0) > 0) {
      if (start >= 0 && bin - start > 1)
        gaps.push({ from: bins.edges[start + 1]!, to: bins.edges[bin]!, bins: bin - start - 1 });
      start = bin;
    }
  }
  return gaps.sort((a, b) => b.bins - a.bins || a.from - b.from).slice(0, most);
}
