import type { ChangeKind, Conflict, DiffSummary } from '#shared/api/edits.ts';
import type { RowKey } from '#shared/domain/selection.ts';
import { valueToken } from './value-token.ts';

export type Row = Record<string, unknown>;

/** One changed row, as the compare page works with it. */
export interface Change {
  /** Stable for a key, whatever page of the result it came with. */
  id: string;
  key: RowKey;
  keyText: string;
  kind: ChangeKind;
  /** Changed columns; empty for rows that were added or removed. */
  columns: string[];
  conflicts: string[];
  conflictKind: Conflict['kind'] | null;
  rowIds: { base: string | null; from: string | null; into: string | null };
  base: Row | null;
  from: Row | null;
  into: Row | null;
}

/** A record of `diff/rows`, decoded. */
export interface ChangeRecord {
  _key: unknown;
  _rowids: { base?: unknown; from?: unknown; into?: unknown } | null;
  _change: unknown;
  _columns: Iterable<unknown> | null;
  _conflict: Iterable<unknown> | null;
  base: Row | null;
  from: Row | null;
  into: Row | null;
}

const texts = (list: Iterable<unknown> | null | undefined): string[] =>
  list ? Array.from(list, String) : [];

const idText = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);

function keyPart(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value instanceof Date) return value.toISOString();
  return String(value);
}

/** The key as the merge takes it: one value, or an array where the key has several columns. */
export function toRowKey(value: unknown): RowKey {
  if (value === null || value === undefined || typeof value !== 'object' || value instanceof Date)
    return keyPart(value);
  const parts = Array.isArray(value) ? value : Object.values(value);
  return parts.length === 1 ? keyPart(parts[0]) : parts.map(keyPart);
}

/** `tt-17`, `2024 · 3`; for reading, not for parsing. */
export const formatKey = (key: RowKey): string =>
  Array.isArray(key) ? key.map((part) => String(part ?? 'null')).join(' · ') : String(key ?? 'null');

/** Reads one record of `diff/rows`. */
export function parseChange(record: ChangeRecord): Change {
  const key = toRowKey(record._key);
  const conflicts = texts(record._conflict);
  const { base, from, into } = record;
  return {
    id: valueToken(key),
    key,
    keyText: formatKey(key),
    kind: record._change as ChangeKind,
    columns: texts(record._columns),
    conflicts,
    conflictKind: conflicts.length === 0 ? null : conflictKindOf({ base, from, into }),
    rowIds: {
      base: idText(record._rowids?.base),
      from: idText(record._rowids?.from),
      into: idText(record._rowids?.into),
    },
    base,
    from,
    into,
  };
}

function conflictKindOf({ base, from, into }: Pick<Change, 'base' | 'from' | 'into'>): Conflict['kind'] {
  if (!from) return 'removed-modified';
  if (!into) return 'modified-removed';
  return base ? 'cell' : 'added-added';
}

/** The row before and after: base and from, or into and from where there is no base. */
export function sidesOf(
  change: Change,
  mode: DiffSummary['mode'],
): { before: Row | null; after: Row | null; beforeSide: 'base' | 'into' } {
  if (mode === 'two-way')
    return { before: change.into ?? change.base, after: change.from, beforeSide: 'into' };
  return { before: change.base, after: change.from, beforeSide: 'base' };
}
