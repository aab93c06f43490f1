import { createHash } from 'node:crypto';
import type { Data } from '../../../arrow/arrow.ts';
import { dataCellToJson } from '../../../arrow/cell-json.ts';
import { blobSizes } from './blob-cells.ts';
import type { SharedColumn } from './delta-parts.ts';
import { type IdPairs, Pairs } from './id-lists.ts';
import { breathe, readAligned } from './read-aligned.ts';
import type { Side } from './side.ts';

const rowsAtOnce = 8192;

export interface PairByContentInput {
  base: Side;
  side: Side;
  columns: readonly SharedColumn[];
  gone: Float64Array;
  come: Float64Array;
  signal: AbortSignal;
}

/**
 * Pairs rows with the same content, for tables that have neither a key nor stable row ids: a compaction moves every row
 * of such a table, and is no change. Blobs count by size here; whoever compares the pairs compares their bytes.
 */
export async function pairByContent(
  input: PairByContentInput,
): Promise<{ pairs: IdPairs; rest: { gone: Float64Array; come: Float64Array } }> {
  const { base, side, columns, gone, come, signal } = input;
  const places = new Map<string, number[]>();
  await eachDigest(
    { side, ids: come, names: columns.map(({ sideName }) => sideName), signal },
    (digest, row) => {
      const rows = places.get(digest);
      if (rows) rows.push(row);
      else places.set(digest, [row]);
    },
  );
  for (const rows of places.values()) rows.reverse();
  const pairs = new Pairs(Math.min(gone.length, come.length));
  const goneTaken = new Uint8Array(gone.length);
  const comeTaken = new Uint8Array(come.length);
  await eachDigest(
    { side: base, ids: gone, names: columns.map(({ baseName }) => baseName), signal },
    (digest, row) => {
      const other = places.get(digest)?.pop();
      if (other === undefined) return;
      goneTaken[row] = 1;
      comeTaken[other] = 1;
      pairs.add(gone[row]!, come[other]!);
    },
  );
  return {
    pairs: pairs.rows(),
    rest: {
      gone: gone.filter((_id, row) => goneTaken[row] === 0),
      come: come.filter((_id, row) => comeTaken[row] === 0),
    },
  };
}

interface Digested {
  side: Side;
  ids: Float64Array;
  names: readonly string[];
  signal: AbortSignal;
}

async function eachDigest(
  { side, ids, names, signal }: Digested,
  onRow: (digest: string, row: number) => void,
): Promise<void> {
  const blobs = new Set(side.fields.filter(({ isBlob }) => isBlob).map(({ name }) => name));
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    const some = ids.subarray(start, start + rowsAtOnce);
    const columns = await readAligned(side, some, { names, signal });
    const cells = names.map((name) => {
      const data = columns.get(name) as Data;
      const sizes = blobs.has(name) ? blobSizes(data) : null;
      return (row: number) => (sizes ? sizes[row] : dataCellToJson(data, row));
    });
    for (let row = 0; row < some.length; row++) {
      const text = JSON.stringify(cells.map((cell) => cell(row)));
      onRow(createHash('sha1').update(text).digest('base64'), start + row);
    }
    await breathe(signal);
  }
}
