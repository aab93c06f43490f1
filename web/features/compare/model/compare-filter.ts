import { ChangeKind } from '#shared/api/edits.ts';
import { RowKey } from '#shared/domain/selection.ts';
import type { Change } from './change.ts';
import { valueToken } from './value-token.ts';

/** What of a comparison is shown; lives in the address. */
export interface CompareFilter {
  /** Empty: every kind. */
  kinds: ChangeKind[];
  column: string | null;
  isConflictsOnly: boolean;
  /** A condition in Curio's filter language, on the row as `from` has it, else as it was. */
  where: string | null;
  /** One row alone. */
  key: RowKey | undefined;
}

export const noFilter: CompareFilter = {
  kinds: [],
  column: null,
  isConflictsOnly: false,
  where: null,
  key: undefined,
};

/** Reads `change=added,removed&column=gloss&conflicts=1&where=…&key="a-1"`; what it does not know is left out. */
export function parseCompareFilter(search: URLSearchParams): CompareFilter {
  const named = new Set((search.get('change') ?? '').split(','));
  return {
    kinds: ChangeKind.options.filter((kind) => named.has(kind)),
    column: search.get('column') || null,
    isConflictsOnly: search.get('conflicts') === '1',
    where: search.get('where')?.trim() || null,
    key: parseKey(search.get('key')),
  };
}

function parseKey(text: string | null): RowKey | undefined {
  if (text === null) return undefined;
  try {
    return RowKey.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
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
  put('where', filter.where);
  put('key', filter.key === undefined ? null : JSON.stringify(filter.key));
  return next;
}

export const isFiltering = ({ kinds, column, isConflictsOnly, where, key }: CompareFilter): boolean =>
  kinds.length > 0 || column !== null || isConflictsOnly || where !== null || key !== undefined;

/** Whether only the server can tell what passes. */
export const needsServer = ({ where }: CompareFilter): boolean => where !== null;

/** Whether a change passes all but the condition; the server narrows by the same rule. */
export function passesFilter(
  change: Change,
  { kinds, column, isConflictsOnly, key }: Omit<CompareFilter, 'where'>,
): boolean {
  if (key !== undefined && valueToken(key) !== change.id) return false;
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
