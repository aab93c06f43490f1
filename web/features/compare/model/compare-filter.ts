import { ChangeKind } from '#shared/api/edits.ts';
import type { Change } from './change.ts';

/** What of a comparison is shown; lives in the address. */
export interface CompareFilter {
  /** Empty: every kind. */
  kinds: ChangeKind[];
  column: string | null;
  isConflictsOnly: boolean;
}

export const noFilter: CompareFilter = { kinds: [], column: null, isConflictsOnly: false };

/** Reads `change=added,removed&column=gloss&conflicts=1`; what it does not know is left out. */
export function parseCompareFilter(search: URLSearchParams): CompareFilter {
  const named = new Set((search.get('change') ?? '').split(','));
  return {
    kinds: ChangeKind.options.filter((kind) => named.has(kind)),
    column: search.get('column') || null,
    isConflictsOnly: search.get('conflicts') === '1',
  };
}

/** Inverse of {@link parseCompareFilter}: sets and deletes only its own parameters. */
export function writeCompareFilter(filter: CompareFilter, search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  const put = (name: string, value: string | null): void =>
    value === null ? next.delete(name) : next.set(name, value);
  put(
    'change',
    filter.kinds.length === 0
      ? null
      : ChangeKind.options.filter((kind) => filter.kinds.includes(kind)).join(','),
  );
  put('column', filter.column);
  put('conflicts', filter.isConflictsOnly ? '1' : null);
  return next;
}

export const isFiltering = ({ kinds, column, isConflictsOnly }: CompareFilter): boolean =>
  kinds.length > 0 || column !== null || isConflictsOnly;

/** Whether a change passes; the server narrows by the same rule. */
export function passesFilter(change: Change, { kinds, column, isConflictsOnly }: CompareFilter): boolean {
  if (kinds.length > 0 && !kinds.includes(change.kind)) return false;
  if (column !== null && !change.columns.includes(column)) return false;
  return !isConflictsOnly || change.conflictKind !== null;
}

export function toggleKind(filter: CompareFilter, kind: ChangeKind): CompareFilter {
  const kinds = filter.kinds.includes(kind)
    ? filter.kinds.filter((entry) => entry !== kind)
    : [...filter.kinds, kind];
  return { ...filter, kinds: kinds.length === ChangeKind.options.length ? [] : kinds };
}
