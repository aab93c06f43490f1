import type * as z from 'zod';
import { ChangeKind } from '#shared/api/edits.ts';
import { EqualChange } from '#shared/domain/equal-changes.ts';
import { RowKey } from '#shared/domain/selection.ts';
import { type Condition, whereOf } from '../../../state/table-view.ts';
import type { Change } from './change.ts';
import { valueToken } from './value-token.ts';

/** What of a comparison is shown; lives in the address. */
export interface CompareFilter {
  /** Empty: every kind. */
  kinds: ChangeKind[];
  column: string | null;
  isConflictsOnly: boolean;
  /** In Curio's filter language, on the row as `from` has it, else as it was. */
  conditions: readonly Condition[];
  /** Rows in which a column changed alike. */
  equal: EqualChange | null;
  /** One row alone. */
  key: RowKey | undefined;
}

export const noFilter: CompareFilter = {
  kinds: [],
  column: null,
  isConflictsOnly: false,
  conditions: [],
  equal: null,
  key: undefined,
};

/** Reads `change=added,removed&column=gloss&conflicts=1&where=…&off=0&equal={…}&key="a-1"`; what it does not know is left out. */
export function parseCompareFilter(search: URLSearchParams): CompareFilter {
  const named = new Set((search.get('change') ?? '').split(','));
  const off = new Set(search.get('off')?.split('.') ?? []);
  return {
    kinds: ChangeKind.options.filter((kind) => named.has(kind)),
    column: search.get('column') || null,
    isConflictsOnly: search.get('conflicts') === '1',
    conditions: search
      .getAll('where')
      .filter((sql) => sql.trim() !== '')
      .map((sql, index) => (off.has(String(index)) ? { sql, isOff: true } : { sql })),
    equal: parseJson(search.get('equal'), EqualChange) ?? null,
    key: parseJson(search.get('key'), RowKey),
  };
}

function parseJson<T>(text: string | null, schema: z.ZodType<T>): T | undefined {
  if (text === null) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Inverse of {@link parseCompareFilter}: sets and deletes only its own parameters. */
export function writeCompareFilter(filter: CompareFilter, search: URLSearchParams): URLSearchParams {
  const { kinds, column, isConflictsOnly, conditions, equal, key } = filter;
  const next = new URLSearchParams(search);
  const put = (name: string, value: string | null): void =>
    value === null ? next.delete(name) : next.set(name, value);
  const off = conditions.flatMap(({ isOff }, index) => (isOff ? [index] : []));
  put(
    'change',
    kinds.length === 0 ? null : ChangeKind.options.filter((kind) => kinds.includes(kind)).join(','),
  );
  put('column', column);
  put('conflicts', isConflictsOnly ? '1' : null);
  next.delete('where');
  for (const { sql } of conditions) next.append('where', sql);
  put('off', off.length === 0 ? null : off.join('.'));
  put('equal', equal === null ? null : JSON.stringify(equal));
  put('key', key === undefined ? null : JSON.stringify(key));
  return next;
}

/** The predicate of the conditions that are on. */
export const whereOfFilter = ({ conditions }: CompareFilter): string | undefined => whereOf(conditions);

export const isFiltering = (filter: CompareFilter): boolean =>
  filter.kinds.length > 0 ||
  filter.column !== null ||
  filter.isConflictsOnly ||
  filter.equal !== null ||
  filter.key !== undefined ||
  whereOfFilter(filter) !== undefined;

/** Whether only the server can tell what passes. */
export const needsServer = (filter: CompareFilter): boolean => whereOfFilter(filter) !== undefined;

export interface FilterFacts {
  /** Whether a change is one of the equal ones that the filter asks for. */
  isEqual: (change: Change) => boolean;
}

/** Whether a change passes all but the conditions; the server narrows by the same rule. */
export function passesFilter(
  change: Change,
  { kinds, column, isConflictsOnly, equal, key }: Omit<CompareFilter, 'conditions'>,
  { isEqual }: FilterFacts,
): boolean {
  if (key !== undefined && valueToken(key) !== change.id) return false;
  if (kinds.length > 0 && !kinds.includes(change.kind)) return false;
  if (column !== null && !change.columns.includes(column)) return false;
  if (isConflictsOnly && change.conflictKind === null) return false;
  return equal === null || isEqual(change);
}

export function toggleKind(filter: CompareFilter, kind: ChangeKind): CompareFilter {
  const kinds = filter.kinds.includes(kind)
    ? filter.kinds.filter((entry) => entry !== kind)
    : [...filter.kinds, kind];
  return { ...filter, kinds: kinds.length === ChangeKind.options.length ? [] : kinds };
}
