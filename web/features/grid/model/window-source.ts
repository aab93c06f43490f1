import { isAppError } from '#shared/api/problem.ts';
import type { ArrowRows, RowFacts } from '../../../api/arrow-rows.ts';
import { firstGap, planWindow, type Span } from './plan-window.ts';
import { type RowSource, type RowsState, rowIdColumn, type ScreenSpan, startState } from './row-source.ts';
import { createRowReader, type RowReader } from './rows-of-table.ts';

export interface WindowRequest {
  offset: number;
  limit: number;
  /** The ref of the first answer, once there is one: all windows are of one version. */
  pinnedRef: string | null;
  /** Only these columns; all that are not hidden without it. */
  columns?: string[];
}

export interface WindowSourceOptions {
  load(request: WindowRequest, signal: AbortSignal): Promise<ArrowRows>;
  placeKey?: string;
  /** Told once, after the first answer. */
  onFacts?(facts: RowFacts): void;
}

interface Window extends Span {
  reader: RowReader;
  sizeBytes: number;
}

interface Pending extends Span {
  controller: AbortController;
}

const firstRows = 256;
const marginRows = 80;
const mostWindowRows = 4000;
const fewestWindowRows = 200;
const windowBytes = 6_000_000;
const cacheBytes = 192_000_000;

const byStart = (a: Span, b: Span): number => a.start - b.start;

/** A source that fetches windows of a long result as they come into sight, and keeps what it has within 192 MB. */
export function createWindowSource({ load, placeKey, onFacts }: WindowSourceOptions): RowSource {
  const listeners = new Set<() => void>();
  let windows: Window[] = [];
  let pending: Pending[] = [];
  let state: RowsState = startState;
  let screens: readonly ScreenSpan[] = [{ first: 0, last: 0 }];
  let isClosed = false;
  let windowRows = mostWindowRows;

  const setState = (patch: Partial<RowsState>) => {
    state = { ...state, ...patch, revision: state.revision + 1 };
    for (const listener of listeners) listener();
  };

  const isScreenMissingIn = (held: readonly Span[]) => {
    return screens.some((screen) => isMissing(screen, held));
  };

  const isMissing = ({ first, last }: ScreenSpan, held: readonly Span[]) => {
    const end = Math.min(last + 1, state.total ?? Number.POSITIVE_INFINITY);
    return end > first && firstGap({ start: first, end }, held) !== null;
  };

  const giveUpFarRequests = () => {
    pending = pending.filter((request) => {
      const isNear = screens.some(
        ({ first, last }) => request.start < last + 1 + marginRows && first - marginRows < request.end,
      );
      if (!isNear && state.total !== null) request.controller.abort();
      return isNear || state.total === null;
    });
  };

  const dropFarWindows = () => {
    let size = windows.reduce((sum, window) => sum + window.sizeBytes, 0);
    const distance = (window: Window) =>
      Math.min(...screens.map(({ first, last }) => Math.max(0, window.start - last, first - window.end)));
    for (const window of windows.toSorted((a, b) => distance(b) - distance(a))) {
      if (size <= cacheBytes || distance(window) === 0) return;
      size -= window.sizeBytes;
      windows = windows.filter((one) => one !== window);
    }
  };

  const fetchWindow = async (span: Span) => {
    const request: Pending = { ...span, controller: new AbortController() };
    pending = [...pending, request].sort(byStart);
    try {
      const { signal } = request.controller;
      const rows = await load(
        { offset: span.start, limit: span.end - span.start, pinnedRef: state.facts?.ref ?? null },
        signal,
      );
      if (isClosed || signal.aborted) return;
      pending = pending.filter((one) => one !== request);
      keep(span, rows);
    } catch (error) {
      pending = pending.filter((one) => one !== request);
      if (isClosed || (isAppError(error) && error.code === 'ABORTED')) return;
      setState({ error, isLoading: false });
    }
  };

  const keep = (span: Span, rows: ArrowRows) => {
    const count = rows.table.numRows;
    const total = state.total ?? rows.facts.total ?? span.start + count;
    const isFirst = state.facts === null;
    if (count > 0) {
      windowRows = Math.max(
        fewestWindowRows,
        Math.min(mostWindowRows, Math.floor((windowBytes * count) / Math.max(1, rows.sizeBytes))),
      );
      windows = [
        ...windows,
        {
          start: span.start,
          end: span.start + count,
          reader: createRowReader(rows, span.start),
          sizeBytes: rows.sizeBytes,
        },
      ].sort(byStart);
      dropFarWindows();
    }
    const isShort = count < Math.min(span.end, total) - span.start;
    setState({ total: isShort ? span.start + count : total, facts: state.facts ?? rows.facts, error: null });
    if (isFirst) onFacts?.(rows.facts);
    fetchMissing();
    if (state.isLoading !== isScreenMissingIn(windows)) setState({ isLoading: isScreenMissingIn(windows) });
  };

  const fetchMissing = () => {
    if (isClosed || state.error || (state.total === null && pending.length > 0)) return;
    for (const screen of screens) fetchFor(screen);
  };

  const fetchFor = (screen: ScreenSpan) => {
    for (let round = 0; round < 4; round += 1) {
      const held = [...windows, ...pending].sort(byStart);
      const isOnItsWay = pending.length > 0 && isMissing(screen, windows) && !isMissing(screen, held);
      const span = isOnItsWay
        ? null
        : planWindow({ ...screen, total: state.total, held, windowRows, marginRows, firstRows });
      if (span === null) return;
      void fetchWindow(span);
    }
  };

  const showSpans = (spans: readonly ScreenSpan[]) => {
    screens = spans;
    giveUpFarRequests();
    fetchMissing();
    const isLoading = state.total === null ? !state.error : isScreenMissingIn(windows) && !state.error;
    if (isLoading !== state.isLoading) setState({ isLoading });
  };

  return {
    placeKey,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getState: () => state,
    rowAt: (index) =>
      windows.find((window) => window.start <= index && index < window.end)?.reader.rowAt(index),
    find(id) {
      for (const window of windows) {
        const row = window.reader.find(id);
        if (row) return row;
      }
      return undefined;
    },
    show: (first, last) => showSpans([{ first, last }]),
    showSpans,
    async idsOf(first, last, signal = new AbortController().signal) {
      const end = Math.min(last + 1, state.total ?? last + 1);
      const held = Array.from({ length: Math.max(0, end - first) }, (_none, at) => this.rowAt(first + at));
      if (held.every((row) => row !== undefined)) return held.map((row) => row.id);
      const { table } = await load(
        { offset: first, limit: end - first, pinnedRef: state.facts?.ref ?? null, columns: [] },
        signal,
      );
      const ids = table.getChild(rowIdColumn);
      return Array.from({ length: table.numRows }, (_none, at) => String(ids.at(at)));
    },
    retry() {
      if (!state.error) return;
      setState({ error: null, isLoading: true });
      fetchMissing();
    },
    close() {
      isClosed = true;
      for (const request of pending) request.controller.abort();
      pending = [];
    },
  };
}
