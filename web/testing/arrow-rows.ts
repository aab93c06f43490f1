import { type DataType, tableFromArrays, tableToIPC } from '@uwdata/flechette';
import { type ArrowRows, decodeArrowRows, type RowFacts } from '../api/arrow-rows.ts';

/** Bytes of a whole Arrow stream of these columns. */
export function arrowBytes(
  columns: Record<string, ArrayLike<unknown>>,
  types: Record<string, DataType> = {},
): Uint8Array {
  const bytes = tableToIPC(tableFromArrays(columns as Record<string, unknown[]>, { types }), {
    format: 'stream',
  });
  if (!bytes) throw new Error('The columns could not be written.');
  return bytes;
}

/** Rows as the client reads them, with facts that a test wants. */
export function arrowRows(
  columns: Record<string, ArrayLike<unknown>>,
  facts: Partial<RowFacts> = {},
  types: Record<string, DataType> = {},
): ArrowRows {
  const rows = decodeArrowRows(arrowBytes(columns, types));
  return { ...rows, facts: { ...rows.facts, ...facts } };
}
