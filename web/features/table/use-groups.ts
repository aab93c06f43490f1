import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { OrderBy } from '#shared/api/tables.ts';
import { callArrow } from '../../api/index.ts';
import {
  type GroupedSource,
  groupSource,
  type RowGroup,
  type RowSource,
  useRowsState,
} from '../grid/index.ts';

const none: ReadonlySet<string> = new Set();

export interface Groups {
  /** The rows under the heads of their groups; null until the groups are known. */
  source: GroupedSource | null;
  groups: readonly RowGroup[] | null;
  error: unknown;
  folded: ReadonlySet<string>;
  fold: (id: string, isFolded: boolean) => void;
  /** Null unfolds all. */
  foldAll: (ids: readonly string[] | null) => void;
}

interface GroupsWanted {
  table: string;
  source: RowSource;
  column: string | null;
  where: string | undefined;
  orderBy: readonly OrderBy[];
}

/** The groups of a sorted source by the first column of its order, of the same pinned version as its rows. */
export function useGroups({ table, source, column, where, orderBy }: GroupsWanted): Groups {
  const ref = useRowsState(source).facts?.ref ?? null;
  const { data, error } = useQuery({
    queryKey: ['groups', table, ref, where ?? '', orderBy],
    queryFn: async ({ signal }) => {
      const body = { ref: ref ?? 'main', orderBy: [...orderBy], ...(where ? { where } : {}) };
      const { table: rows } = await callArrow('groupRows', { params: { table }, body, signal });
      const read = (name: string) => rows.getChild(name);
      return Array.from(
        { length: rows.numRows },
        (_none, at): RowGroup => ({
          id: String(read('_rowid').at(at)),
          value: read(column ?? '').at(at),
          start: Number(read('_start').at(at)),
          rows: Number(read('_rows').at(at)),
        }),
      );
    },
    enabled: column !== null && ref !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const groups = column === null ? null : (data ?? null);
  const [folding, setFolding] = useState<{ of: string | null; ids: ReadonlySet<string> }>({
    of: null,
    ids: none,
  });
  const folded = folding.of === column ? folding.ids : none;
  const grouped = useMemo(
    () => (groups === null ? null : groupSource(source, { groups, folded })),
    [source, groups, folded],
  );
  return {
    source: grouped,
    groups,
    error: column === null ? null : error,
    folded,
    fold: (id, isFolded) => {
      const ids = new Set(folded);
      if (isFolded) ids.add(id);
      else ids.delete(id);
      setFolding({ of: column, ids });
    },
    foldAll: (ids) => setFolding({ of: column, ids: new Set(ids ?? []) }),
  };
}
