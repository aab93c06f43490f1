import { type DataType, tableFromArrays, tableToIPC } from '@uwdata/flechette';

export interface ArrowInput {
  columns: Record<string, readonly unknown[]>;
  types?: Record<string, DataType>;
  metadata?: Record<string, string>;
}

/** A whole Arrow stream of the given columns, as the server would send it. */
export function arrowBytes({ columns, types = {}, metadata = {} }: ArrowInput): Uint8Array {
  const table = tableFromArrays(columns as Record<string, unknown[]>, { types });
  table.schema.metadata = new Map(Object.entries(metadata));
  return tableToIPC(table, { format: 'stream' }) as Uint8Array;
}
