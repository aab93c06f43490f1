import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { Facet } from '#shared/api/facets.ts';
import { binCountOf } from '#shared/domain/facets/bins.ts';
import type { Brush } from '#shared/domain/facets/brush.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { binsOfBrush, brushOfBins } from '../model/brushes.ts';
import { formatEdge, formatRange } from '../model/format-bin.ts';
import { planScale, type ShownCounts } from '../model/shown-counts.ts';
import styles from './facets.module.css';
import { planPaths } from './plan-paths.ts';

export interface HistogramProps {
  facet: Facet;
  counts: ShownCounts;
  brush: Brush | null;
  heightPx: number;
  onMove: (brush: Brush | null) => void;
  onCommit: (brush: Brush | null) => void;
}

const handlePx = 6;
type Grip =
  | { kind: 'new'; at: number }
  | { kind: 'move'; at: number; from: number; to: number }
  | { kind: 'end'; fixed: number };

/** A distribution that can be brushed, by pointer and by keys: the whole behind, what the filter keeps before it. */
export function Histogram({ facet, counts, brush, heightPx, onMove, onCommit }: HistogramProps) {
  const plot = useRef<HTMLDivElement>(null);
  const grip = useRef<Grip | null>(null);
  const latest = useRef<Brush | null>(brush);
  const hasMoved = useRef(false);
  const { bins, kind } = facet;
  const count = binCountOf(bins);
  const barCount = bins.bars.length;
  const all = counts.all.slice(0, barCount);
  const kept = counts.kept.slice(0, barCount);
  const marked = counts.marked?.slice(0, barCount) ?? null;
  const { tallest, factor } = planScale(all, kept);
  const chosen = binsOfBrush(facet, brush);
  const paths = planPaths({ bins, all, kept, marked, tallest, factor, chosen, heightPx });

  const binAt = (clientX: number): number => {
    const box = plot.current?.getBoundingClientRect();
    if (!box || box.width === 0) return 0;
    return Math.max(0, Math.min(count, ((clientX - box.left) / box.width) * count));
  };
  const draw = (next: Brush | null) => {
    latest.current = next;
    hasMoved.current = true;
    onMove(next);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || count === 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = binAt(event.clientX);
    latest.current = brush;
    hasMoved.current = false;
    grip.current = gripAt(at, chosen, (handlePx / Math.max(1, plot.current?.clientWidth ?? 1)) * count);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const held = grip.current;
    if (!held || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const at = binAt(event.clientX);
    if (held.kind === 'new') {
      if (!hasMoved.current && Math.abs(at - held.at) * (plot.current!.clientWidth / count) < 3) return;
      draw(
        brushOfBins(
          facet,
          Math.min(Math.floor(held.at), Math.floor(at)),
          Math.max(Math.ceil(held.at), Math.ceil(at)),
        ),
      );
    } else if (held.kind === 'end') {
      draw(brushOfBins(facet, Math.min(held.fixed, at), Math.max(held.fixed, at)));
    } else {
      const by = Math.max(-held.from, Math.min(count - held.to, at - held.at));
      draw(brushOfBins(facet, held.from + by, held.to + by));
    }
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const held = grip.current;
    grip.current = null;
    if (!held) return;
    event.currentTarget.releasePointerCapture(event.pointerId);
    if (hasMoved.current || held.kind === 'end') return onCommit(latest.current);
    onCommit(chosen ? null : barBrush(facet, binAt(event.clientX)));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = brushOfKey({ key: event.key, isGrowing: event.shiftKey, facet, chosen });
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onCommit(next);
  };

  const rows = chosen ? rowsWithin(facet, chosen) : null;
  const words =
    brush?.kind === 'range'
      ? `${formatRange(brush.from, brush.to, kind)}${rows === null ? '' : `, ${formatOf(rows, 'row')}`}`
      : 'everything';
  return (
    <>
      <div
        ref={plot}
        className={styles.plot}
        style={{ height: heightPx }}
        role="slider"
        tabIndex={0}
        aria-label={`Brush ${facet.column}`}
        aria-description="Arrow keys move the brush, with Shift they widen it, Escape takes it away."
        aria-valuemin={0}
        aria-valuemax={count}
        aria-valuenow={Math.round(chosen?.[0] ?? 0)}
        aria-valuetext={words}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onKeyDown={onKeyDown}
      >
        <svg viewBox={`0 0 ${count} ${heightPx}`} preserveAspectRatio="none" aria-hidden>
          <path className={styles.whole} d={paths.all} />
          <path className={styles.outside} d={paths.outside} />
          <path className={styles.inside} d={paths.inside} />
          {paths.marked && <path className={styles.marked} d={paths.marked} />}
        </svg>
        {chosen && (
          <span
            className={styles.brush}
            style={{
              left: `${(100 * chosen[0]) / count}%`,
              width: `${(100 * Math.max(0, chosen[1] - chosen[0])) / count}%`,
            }}
          />
        )}
      </div>
      <Ends facet={facet} factor={factor} />
    </>
  );
}

/** The ends of the axis; where few far values share a bin, also where the even bins begin and end. */
function Ends({ facet, factor }: { facet: Facet; factor: number }) {
  const { edges } = facet.bins;
  const { kind } = facet;
  const isWhole = kind === 'whole' || kind === 'length';
  const show = (at: number, isEnd: boolean) =>
    formatEdge((edges.at(at) ?? 0) - (isEnd && isWhole ? 1 : 0), kind);
  const step = (edges[3] ?? 0) - (edges[2] ?? 0);
  const isFar = (width: number): boolean =>
    edges.length > 5 && kind !== 'timestamp' && kind !== 'date' && width > step * 1.5;
  const isFarBefore = isFar(edges[1]! - edges[0]!);
  const isFarAfter = isFar(edges.at(-1)! - edges.at(-2)!);
  return (
    <div className={styles.ends}>
      <span>{isFarBefore ? `${show(0, false)} ⋯ ${show(1, false)}` : show(0, false)}</span>
      {factor > 1 && (
        <span className={styles.factor} title="So that the rows that are left can be seen before all rows">
          filtered ×{formatCount(factor)}
        </span>
      )}
      <span>{isFarAfter ? `${show(-2, true)} ⋯ ${show(-1, true)}` : show(-1, true)}</span>
    </div>
  );
}

function gripAt(at: number, chosen: [number, number] | null, near: number): Grip {
  if (!chosen) return { kind: 'new', at };
  const [from, to] = chosen;
  if (Math.abs(at - from) <= near) return { kind: 'end', fixed: to };
  if (Math.abs(at - to) <= near) return { kind: 'end', fixed: from };
  return at > from && at < to ? { kind: 'move', at, from, to } : { kind: 'new', at };
}

const barEnds = ({ bins }: Facet, bar: number): [number, number] => [
  bins.bars[bar] ?? 0,
  bins.bars[bar + 1] ?? binCountOf(bins),
];

function barBrush(facet: Facet, bin: number): Brush | null {
  const bar = facet.bins.bars.findLastIndex((start) => start <= bin);
  return brushOfBins(facet, ...barEnds(facet, Math.max(0, bar)));
}

/** What a key makes of the brush; undefined for keys that are not its own. */
export function brushOfKey({
  key,
  isGrowing,
  facet,
  chosen,
}: {
  key: string;
  isGrowing: boolean;
  facet: Facet;
  chosen: [number, number] | null;
}): Brush | null | undefined {
  const count = binCountOf(facet.bins);
  const step = Math.max(1, Math.round(count / Math.max(1, facet.bins.bars.length)));
  if (key === 'Escape' || key === 'Delete' || key === 'Backspace') return chosen ? null : undefined;
  const by =
    key === 'ArrowRight' || key === 'ArrowUp' ? step : key === 'ArrowLeft' || key === 'ArrowDown' ? -step : 0;
  if (key === 'Home' || key === 'End') {
    const [from, to] = chosen ?? [0, step];
    const width = to - from;
    if (isGrowing) return key === 'Home' ? brushOfBins(facet, 0, to) : brushOfBins(facet, from, count);
    return key === 'Home' ? brushOfBins(facet, 0, width) : brushOfBins(facet, count - width, count);
  }
  if (by === 0) return undefined;
  if (!chosen) return by > 0 ? brushOfBins(facet, 0, step) : brushOfBins(facet, count - step, count);
  const [from, to] = chosen;
  if (isGrowing)
    return by > 0 ? brushOfBins(facet, from, to + by) : brushOfBins(facet, from, Math.max(from + 1, to + by));
  const shift = Math.max(-from, Math.min(count - to, by));
  return brushOfBins(facet, from + shift, to + shift);
}

const rowsWithin = (facet: Facet, [from, to]: [number, number]): number =>
  facet.kept.slice(Math.round(from), Math.round(to)).reduce((sum, one) => sum + one, 0);
