import { AppError, isAppError } from '#shared/api/problem.ts';

/** Rows as aligned columns; numbers stand at the right. */
export function formatColumns(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  isRight: (column: number) => boolean = () => false,
): string {
  const widths = names.map((name, column) =>
    Math.max(widthOf(name), ...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
        return isRight(column) ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  return [line(names), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}

const widthOf = (text: string): number => [...text].length;

const maxCell = 60;

/** A cell of a JSON answer, on one line. */
export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const line = text.replace(/\s+/g, ' ');
  return [...line].length > maxCell ? `${[...line].slice(0, maxCell - 1).join('')}…` : line;
}

export const formatCount = (count: number): string => count.toLocaleString('en');

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

/** A problem for a person: what, and what to do. */
export function formatProblemText(error: unknown): string {
  if (isAppError(error)) return [`${error.message}`, ...(error.hint ? [`  ${error.hint}`] : [])].join('\n');
  return error instanceof Error ? error.message : String(error);
}

/** A problem for a machine. */
export const problemJson = (error: unknown): string => {
  const facts =
    error instanceof AppError
      ? { code: error.code, detail: error.message, hint: error.hint, at: error.at }
      : { code: 'INTERNAL', detail: formatProblemText(error) };
  return JSON.stringify({ error: facts });
};
