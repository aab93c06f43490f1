import { isAppError } from '#shared/api/problem.ts';
import type { ArrowRows } from '../../../api/arrow-rows.ts';
import { type RowSource, type RowsState, startState } from './row-source.ts';
import { createRowReader, type RowReader } from './rows-of-table.ts';

/** A source that fetches all of its rows at once when they are first shown, such as the result of a search. */
export function createLoadedSource({
  load,
  placeKey,
}: {
  load(signal: AbortSignal): Promise<ArrowRows>;
  placeKey?: string;
}): RowSource {
  const listeners = new Set<() => void>();
  const controller = new AbortController();
  let state: RowsState = startState;
  let reader: RowReader = { rowAt: () => undefined, find: () => undefined };
  let isAsked = false;

  const setState = (patch: Partial<RowsState>) => {
    state = { ...state, ...patch, revision: state.revision + 1 };
    for (const listener of listeners) listener();
  };

  const fetchAll = async () => {
    isAsked = true;
    try {
      const rows = await load(controller.signal);
      if (controller.signal.aborted) return;
      reader = createRowReader(rows, 0);
      setState({ total: rows.table.numRows, facts: rows.facts, isLoading: false, error: null });
    } catch (error) {
      if (controller.signal.aborted || (isAppError(error) && error.code === 'ABORTED')) return;
      setState({ error, isLoading: false });
    }
  };

  return {
    placeKey,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getState: () => state,
    rowAt: (index) => reader.rowAt(index),
    find: (id) => reader.find(id),
    show() {
      if (!isAsked) void fetchAll();
    },
    async idsOf(first, last) {
      const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_none, at) =>
        reader.rowAt(first + at),
      );
      return rows.flatMap((row) => row?.id ?? []);
    },
    retry() {
      if (!state.error) return;
      setState({ error: null, isLoading: true });
      void fetchAll();
    },
    close: () => controller.abort(),
  };
}
