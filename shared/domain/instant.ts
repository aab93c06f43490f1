const unitsPerMs: Record<string, number> = { s: 0.001, ms: 1, us: 1_000, ns: 1_000_000 };

/**
 * Milliseconds since 1970 of a cell of a time column, or `null` where it holds none. Whole numbers of 64 bits count in
 * the unit that the type names (`timestamp[us, UTC]`); other numbers are milliseconds; text without a zone is UTC.
 */
export function toInstant(value: unknown, type = ''): number | null {
  if (value instanceof Date) return finite(value.getTime());
  if (typeof value === 'number') return finite(value);
  if (typeof value === 'bigint') {
    const unit = /^timestamp\[(s|ms|us|ns)\b/.exec(type)?.[1] ?? 'ms';
    return Number(value) / (unitsPerMs[unit] ?? 1);
  }
  if (typeof value !== 'string') return null;
  const isZoned = /([Zz]|[+-]\d\d:?\d\d)$/.test(value) || !value.includes(':');
  return finite(Date.parse(isZoned ? value : `${value.replace(' ', 'T')}Z`));
}

const finite = (ms: number): number | null => (Number.isFinite(ms) ? ms : null);
