import { useEffect, useMemo } from 'react';
import { parseRef } from '#shared/domain/ref.ts';
import { settlePending, usePendingCells } from '../../state/pending-cells.ts';
import { type RowSource, useRowsState } from '../grid/index.ts';
import { overlaySource } from './model/overlay-source.ts';

interface Line {
  branch: string;
  version: number | null;
}

function lineOf(refText: string): Line | null {
  try {
    const ref = parseRef(refText);
    return ref.kind === 'branch' ? { branch: ref.branch, version: ref.version ?? null } : null;
  } catch {
    return null;
  }
}

/** Rows of a branch's head with cells that were just edited; rows of tags and past versions as they are. */
export function useOverlaidRows(source: RowSource, table: string, refText: string): RowSource {
  const line = lineOf(refText);
  const branch = line?.version === null ? line.branch : null;
  const pending = usePendingCells(table, branch ?? '');
  const { facts } = useRowsState(source);
  const shown = facts?.ref ? lineOf(facts.ref) : null;
  const shownVersion = branch !== null && shown?.branch === branch ? shown.version : null;
  useEffect(() => {
    if (branch !== null && shownVersion !== null) settlePending(table, branch, shownVersion);
  }, [table, branch, shownVersion]);
  return useMemo(
    () => (branch === null ? source : overlaySource(source, pending)),
    [source, branch, pending],
  );
}
