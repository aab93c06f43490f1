import { useEffect, useMemo, useState } from 'react';
import type { GridRow, MediaAddress, MediaOf } from '../../grid/index.ts';
import { measureAspect, recallAspect, statedAspect } from '../model/aspects.ts';
import { type JustifiedRow, planJustified } from '../model/plan-justified.ts';

export interface BlockItem {
  index: number;
  row: GridRow | undefined;
  address: MediaAddress | null;
  /** What its shape is measured by; null where there is nothing to see. */
  src: string | null;
}

export interface BlockOptions {
  items: readonly BlockItem[];
  sizes: { width: string; height: string } | null;
  widthPx: number;
  targetPx: number;
  gapPx: number;
  isEnd: boolean;
}

const patienceMs = 1500;

/** Pictures of a block and the address that each is measured by. */
export const itemsOf = (
  rows: readonly (GridRow | undefined)[],
  start: number,
  { media, column, thumbPx }: { media: MediaOf; column: string; thumbPx: number },
): BlockItem[] =>
  rows.map((row, at) => {
    const address = row ? media(row, column) : null;
    const src = row && row.value(column) !== null ? (address?.thumb(thumbPx) ?? null) : null;
    return { index: start + at, row, address, src };
  });

/** The rows of a block; they are laid out once, when the shapes of all its pictures are known (or 1.5 s have passed). */
export function useBlockLayout({ items, sizes, widthPx, targetPx, gapPx, isEnd }: BlockOptions): {
  rows: JustifiedRow[];
  aspects: readonly number[];
  isKnown: boolean;
} {
  const known = items.map((item) =>
    item.row ? (statedAspect(item.row, sizes) ?? (item.src ? recallAspect(item.src) : 4 / 3)) : undefined,
  );
  const missing = items.filter((item, at) => known[at] === undefined && item.src !== null);
  const isLoaded = items.every((item) => item.row !== undefined);
  const [isPatienceOver, setPatienceOver] = useState(false);
  const [, setMeasured] = useState(0);
  const missingKey = missing.map((item) => item.src).join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: measured once per set of pictures
  useEffect(() => {
    if (!isLoaded || missing.length === 0) return;
    const controller = new AbortController();
    const timer = setTimeout(() => setPatienceOver(true), patienceMs);
    void Promise.all(missing.map((item) => measureAspect(item.src ?? '', controller.signal))).then(() => {
      if (!controller.signal.aborted) setMeasured((count) => count + 1);
    });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [missingKey, isLoaded]);

  const aspects = known.map((aspect) => aspect ?? 4 / 3);
  const aspectKey = aspects.map((aspect) => aspect.toFixed(3)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all aspects
  const rows = useMemo(
    () => planJustified({ aspects, widthPx, targetPx, gapPx, isEnd }),
    [aspectKey, widthPx, targetPx, gapPx, isEnd],
  );
  return { rows, aspects, isKnown: isLoaded && (missing.length === 0 || isPatienceOver) };
}
