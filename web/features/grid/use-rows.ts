import { useEffect, useState, useSyncExternalStore } from 'react';
import type { RowSource, RowsState } from './model/row-source.ts';

const screenRows = 48;

/** The state of a source, followed. */
export const useRowsState = (source: RowSource): RowsState =>
  useSyncExternalStore(source.subscribe, source.getState);

/**
 * The source to show: the newest one that has an answer (or an error). Until a new source answers, the one before stays,
 * so that what is on the screen stays until the new is there.
 */
export function useShownSource(source: RowSource, firstRow = 0): RowSource {
  const [shown, setShown] = useState(source);
  const state = useRowsState(source);
  const isReady = state.total !== null || state.error !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new source is told its first screen once
  useEffect(() => {
    if (source.getState().total === null) source.show(firstRow, firstRow + screenRows);
  }, [source]);
  useEffect(() => {
    if (isReady) setShown(source);
  }, [isReady, source]);
  return isReady ? source : shown;
}
