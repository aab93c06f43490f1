import { useEffect, useMemo, useRef } from 'react';
import { useHeadMoves } from '../../api/index.ts';
import { type TableView, whereOf } from '../../state/table-view.ts';
import type { RowSource } from '../grid/index.ts';
import { orderOf } from './model/group-order.ts';
import { createRowSource } from './model/row-sources.ts';

/** The rows that a view asks for. A new source when what is asked for changes, or when this page moved the head. */
export function useRowSource(table: string, view: TableView): RowSource {
  const moves = useHeadMoves(table);
  const where = whereOf(view.conditions);
  const sort = orderOf(view);
  const key = JSON.stringify([table, view.refText, where, sort, view.search, moves]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that matters of the view
  const source = useMemo(
    () => createRowSource({ table, refText: view.refText, where, sort, search: view.search }),
    [key],
  );
  const held = useRef<RowSource[]>([]);
  useEffect(() => {
    held.current.push(source);
    for (const old of held.current.splice(0, Math.max(0, held.current.length - 2))) old.close();
  }, [source]);
  useEffect(
    () => () => {
      for (const one of held.current.splice(0)) one.close();
    },
    [],
  );
  return source;
}
