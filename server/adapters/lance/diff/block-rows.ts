import type { Side } from './side.ts';

/** Bytes of one side that are held at once, by estimate. */
const blockBytes = 96 * 1024 * 1024;
const maxBlockRows = 1_000_000;
const minBlockRows = 4096;

/** How many rows of the columns are held at once. */
export function rowsPerBlock(side: Side, names: readonly string[]): number {
  const widths = names.map((name) => fixedBytes(side, name));
  const fixed = widths.reduce((sum, width) => sum + width, 0);
  const perRow = Math.max(8, fixed + (widths.includes(0) ? variableBytes(side) : 0));
  return Math.min(maxBlockRows, Math.max(minBlockRows, Math.floor(blockBytes / perRow)));
}

/** Bytes of a cell of the column, by estimate. */
export const cellBytes = (side: Side, name: string): number => fixedBytes(side, name) || variableBytes(side);

/** Stored sizes are compressed, so a row is taken to be larger in memory than on disk. */
function variableBytes({ manifest: { fragments }, fields }: Side): number {
  const rows = fragments.reduce((sum, { physicalRows }) => sum + physicalRows, 0);
  const stored = fragments.reduce(
    (sum, { files }) => sum + files.reduce((size, file) => size + file.sizeBytes, 0),
    0,
  );
  return rows === 0 || fields.some((field) => field.isBlob) ? 256 : (3 * stored) / rows;
}

/** Bytes of a cell of fixed width; 0 for texts, lists and the like. */
function fixedBytes({ fields }: Side, name: string): number {
  const type = fields.find((field) => field.name === name)?.type ?? '';
  const vector = /^fixed_size_list<\w*?(8|16|32|64)>\[(\d+)\]$/.exec(type);
  if (vector) return (Number(vector[1]) / 8) * Number(vector[2]);
  return /^(u?int|float|bool|date|time|timestamp|duration|decimal)/.test(type) ? 8 : 0;
}
