import type { ChartRow } from './build-spec.ts';

const cell = (value: string | number | null | undefined): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The rows that are drawn as CSV, with a head of readable names. */
export function rowsAsCsv(rows: readonly ChartRow[], names: Readonly<Record<string, string>>): string {
  const fields = Object.keys(rows[0] ?? {}).filter((field) => names[field] !== undefined);
  const lines = rows.map((row) => fields.map((field) => cell(row[field])).join(','));
  return `${[fields.map((field) => cell(names[field])).join(','), ...lines].join('\r\n')}\r\n`;
}

/** A name for a file of a chart: `delay by origin`. */
export const fileNameOf = (description: string): string =>
  description
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
    .slice(0, 80);
