import { binCountOf, type FacetBins } from '#shared/domain/facets/bins.ts';

export interface PathsInput {
  bins: FacetBins;
  all: readonly number[];
  kept: readonly number[];
  marked: readonly number[] | null;
  tallest: number;
  factor: number;
  /** The brushed bins. */
  chosen: readonly [number, number] | null;
  heightPx: number;
}

/** The bars of a histogram as SVG paths in units of bins and pixels; a bar that has rows is never less than a pixel. */
export function planPaths({ bins, all, kept, marked, tallest, factor, chosen, heightPx }: PathsInput) {
  const count = binCountOf(bins);
  const gap = bins.bars.length > 0 ? 0.1 * (count / bins.bars.length) : 0;
  const bar = (index: number, rows: number, scale: number): string => {
    if (rows === 0) return '';
    const from = bins.bars[index]!;
    const to = bins.bars[index + 1] ?? count;
    const height = Math.min(heightPx, Math.max(1, (rows * scale * heightPx) / tallest));
    return `M${from + gap / 2} ${heightPx}V${round(heightPx - height)}H${to - gap / 2}V${heightPx}Z`;
  };
  const path = (
    rows: readonly number[],
    scale: number,
    isDrawn: (index: number) => boolean = () => true,
  ): string => rows.map((one, index) => (isDrawn(index) ? bar(index, one, scale) : '')).join('');
  const isInside = (index: number): boolean => {
    if (!chosen) return true;
    const middle = (bins.bars[index]! + (bins.bars[index + 1] ?? count)) / 2;
    return middle >= chosen[0] && middle <= chosen[1];
  };
  return {
    all: path(all, 1),
    inside: path(kept, factor, isInside),
    outside: path(kept, factor, (index) => !isInside(index)),
    marked: marked && path(marked, factor),
  };
}

const round = (px: number): number => Math.round(px * 10) / 10;
