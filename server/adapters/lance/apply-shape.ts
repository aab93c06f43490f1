import type { Changeset } from '../../ports/table-writer.ts';
import { isBlobField, toColumnType } from './column-type-arrow.ts';
import { widthOf } from './rows/row-width.ts';
import { maxRowsPerFile, readFile } from './write-files.ts';
import type { WriteTarget } from './write-target.ts';

/** What the choice of verbs depends on. */
export interface TableShape {
  rows: number;
  /** Rows carry pictures, sounds or the like: whole rows are not written again for one cell. */
  isHeavy: boolean;
  /** Whole rows that one merge takes. */
  rowsPerMerge: number;
}

const heavyRowBytes = 16 * 1024;
const bytesPerMerge = 64 * 1024 * 1024;
const fewestRowsPerMerge = 1_000;

export async function readShape(
  target: Pick<WriteTarget, 'handle' | 'schema'>,
  { addColumns }: Pick<Changeset, 'addColumns'>,
): Promise<TableShape> {
  const { handle, schema } = target;
  const { totalBytes, numRows, fragmentStats } = await handle.stats();
  const stored = Math.max(1, numRows, fragmentStats.numFragments * fragmentStats.lengths.mean);
  const typical = schema.fields.reduce((sum, field) => sum + widthOf(toColumnType(field)), 0);
  const rowBytes = Math.max(totalBytes / stored, typical);
  const added = addColumns === null ? [] : readFile(addColumns).schema.fields;
  return {
    rows: numRows,
    isHeavy: [...schema.fields, ...added].some(isBlobField) || rowBytes > heavyRowBytes,
    rowsPerMerge: Math.min(
      maxRowsPerFile,
      Math.max(fewestRowsPerMerge, Math.floor(bytesPerMerge / rowBytes)),
    ),
  };
}
