import { Buffer } from 'node:buffer';
import type { Data, Field } from '../../../arrow/arrow.ts';
import { withLanceErrors } from '../lance-errors.ts';
import { type MediaCell, openMediaCells } from '../media-cells.ts';
import { breathe } from './read-aligned.ts';
import type { Side } from './side.ts';

/** Sizes of a blob column from the descriptors that Lance answers with; null for nulls. */
export function blobSizes(data: Data): (number | null)[] {
  if (data.length === 0) return [];
  const at = data.type.children.findIndex((child: Field) => child.name === 'size');
  const sizes = data.children[at]!.values as BigUint64Array;
  return Array.from({ length: data.length }, (_, row) => (data.getValid(row) ? Number(sizes[row]) : null));
}

/** One side of a comparison of blob cells: descriptors, row by row, and the ids of the rows. */
export interface BlobCells {
  side: Side;
  name: string;
  data: Data;
  ids: Float64Array;
}

const cellsAtOnce = 256;
const chunkBytes = 1024 * 1024;

/** Which rows hold different blobs: by null and size, else byte for byte, in pieces that end at the first difference. */
export async function differingBlobs(a: BlobCells, b: BlobCells, signal: AbortSignal): Promise<Uint8Array> {
  const [sizesA, sizesB] = [blobSizes(a.data), blobSizes(b.data)];
  const differs = new Uint8Array(sizesA.length);
  const unsure: number[] = [];
  for (let row = 0; row < sizesA.length; row++) {
    if (sizesA[row] !== sizesB[row]) differs[row] = 1;
    else if (sizesA[row] !== null && sizesA[row] !== 0) unsure.push(row);
  }
  for (let start = 0; start < unsure.length; start += cellsAtOnce) {
    const rows = unsure.slice(start, start + cellsAtOnce);
    const [left, right] = await Promise.all([openCells(a, rows), openCells(b, rows)]);
    for (const [index, row] of rows.entries()) {
      if (!(await sameBytes(left[index] ?? null, right[index] ?? null, signal))) differs[row] = 1;
    }
    await breathe(signal);
  }
  return differs;
}

const openCells = (
  { side, name, ids }: BlobCells,
  rows: readonly number[],
): Promise<(MediaCell | null)[]> => {
  const type = { kind: 'blob' } as const;
  const { table, ref } = side;
  return withLanceErrors({ table, ref }, () =>
    openMediaCells(
      side.handle,
      { name, type },
      rows.map((row) => BigInt(ids[row]!)),
    ),
  );
};

async function sameBytes(a: MediaCell | null, b: MediaCell | null, signal: AbortSignal): Promise<boolean> {
  if (!a || !b || a.sizeBytes !== b.sizeBytes) return a === b;
  for (let start = 0; start < a.sizeBytes; start += chunkBytes) {
    signal.throwIfAborted();
    const end = Math.min(a.sizeBytes, start + chunkBytes);
    const [x, y] = await Promise.all([a.read(start, end), b.read(start, end)]);
    if (Buffer.compare(x, y) !== 0) return false;
  }
  return true;
}
