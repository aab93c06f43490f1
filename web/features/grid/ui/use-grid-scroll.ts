import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  physicalHeight,
  planReveal,
  planScroll,
  type ScrollPlace,
  type ScrollSizes,
  settleMs,
  settlePhysical,
} from '../model/scaled-scroll.ts';

export interface GridScroll {
  /** Rows to render, with some more at both ends. */
  first: number;
  last: number;
  /** Rows that are really on the screen. */
  firstOnScreen: number;
  lastOnScreen: number;
  /** Row i stands at `i * rowPx - basePx`. */
  basePx: number;
  bodyPx: number;
  viewport: { width: number; height: number };
  onScroll: () => void;
  reveal: (row: number) => void;
  /** Brings a row to the top. */
  scrollTo: (row: number) => void;
  pageRows: number;
}

export interface GridScrollOptions {
  scroller: RefObject<HTMLDivElement | null>;
  count: number;
  rowPx: number;
  headerPx: number;
  initialRow?: number;
}

const spareRows = 6;
const stepRows = 4;

/** Rows in sight of a scroller whose content may be far taller than a browser allows. */
export function useGridScroll({
  scroller,
  count,
  rowPx,
  headerPx,
  initialRow = 0,
}: GridScrollOptions): GridScroll {
  const [viewport, setViewport] = useState({ width: 1200, height: 800 });
  const sizes: ScrollSizes = { contentPx: count * rowPx, viewportPx: viewport.height, extraPx: headerPx };
  const live = useRef(sizes);
  live.current = sizes;
  const place = useRef<ScrollPlace>({ physical: 0, logical: initialRow * rowPx });
  const settleTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rowHeight = useRef(rowPx);
  const [, setShown] = useState('');

  const publish = useCallback(() => {
    const { physical, logical } = place.current;
    const top = Math.floor(logical / rowHeight.current / stepRows);
    setShown(`${top}:${Math.round((logical - physical) * 100)}`);
  }, []);

  const goTo = useCallback(
    (logical: number) => {
      const element = scroller.current;
      const physical = settlePhysical(logical, live.current);
      place.current = { physical, logical };
      if (element && Math.abs(element.scrollTop - physical) > 0.5) element.scrollTop = physical;
      if (element) place.current = { physical: element.scrollTop, logical };
      publish();
    },
    [scroller, publish],
  );

  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (!element || element.scrollTop === place.current.physical) return;
    place.current = planScroll(place.current, element.scrollTop, live.current);
    publish();
    clearTimeout(settleTimer.current);
    if (physicalHeight(live.current) < live.current.contentPx)
      settleTimer.current = setTimeout(() => goTo(place.current.logical), settleMs);
  }, [scroller, publish, goTo]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const measure = () => setViewport({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the same row stays on top when rows change their height or number
  useLayoutEffect(() => {
    const row = place.current.logical / rowHeight.current;
    rowHeight.current = rowPx;
    const most = Math.max(0, count * rowPx + headerPx - viewport.height);
    if (count > 0) goTo(Math.min(row * rowPx, most));
  }, [rowPx, count, headerPx, viewport.height]);

  useEffect(() => () => clearTimeout(settleTimer.current), []);

  const { logical, physical } = place.current;
  const roomPx = viewport.height - headerPx;
  const firstOnScreen = Math.max(0, Math.floor(logical / rowPx));
  const lastOnScreen = Math.min(count - 1, Math.ceil((logical + roomPx) / rowPx));
  return {
    first: Math.max(0, Math.floor(firstOnScreen / stepRows) * stepRows - spareRows),
    last: Math.min(count - 1, (Math.floor(lastOnScreen / stepRows) + 1) * stepRows + spareRows),
    firstOnScreen,
    lastOnScreen,
    basePx: logical - physical,
    bodyPx: physicalHeight(sizes),
    viewport,
    onScroll,
    reveal(row) {
      const target = planReveal({ topPx: row * rowPx, heightPx: rowPx }, place.current.logical, live.current);
      if (target !== null) goTo(target);
    },
    scrollTo: (row) => goTo(Math.max(0, Math.min(row * rowPx, count * rowPx + headerPx - viewport.height))),
    pageRows: Math.max(1, Math.floor(roomPx / rowPx) - 1),
  };
}
