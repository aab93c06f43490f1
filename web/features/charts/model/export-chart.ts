import type { ChartRow } from './build-spec.ts';

const cell = (value: string | number | null | undefined): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The rows that are drawn as CSV, with a head of readable names; fields in `times` are milliseconds and leave as ISO 8601. */
export function rowsAsCsv(
  rows: readonly ChartRow[],
  names: Readonly<Record<string, string>>,
  times: readonly string[] = [],
): string {
  const fields = Object.keys(rows[0] ?? {}).filter((field) => names[field] !== undefined);
  const lines = rows.map((row) =>
    fields.map((field) => cell(times.includes(field) ? isoOf(row[field]) : row[field])).join(','),
  );
  return `${[fields.map((field) => cell(names[field])).join(','), ...lines].join('\r\n')}\r\n`;
}

const isoOf = (ms: string | number | null | undefined): string | null =>
  typeof ms === 'number' ? new Date(ms).toISOString() : null;

/** A name for a file of a chart: `delay by origin`. */
export const fileNameOf = (description: string): string =>
  description
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
    .slice(0, 80);
