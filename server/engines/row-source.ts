import type { RowSource } from '../adapters/duckdb/relation.ts';
import { arrow } from '../arrow/arrow.ts';
import type { TableReader } from '../ports/table-reader.ts';

/** The tables that SQL reads, through the reader of pinned refs. */
export function createRowSource(
  reader: Pick<TableReader, 'describe' | 'rows'>,
  carryOver?: RowSource['carryOver'],
): RowSource {
  return {
    ...(carryOver ? { carryOver } : {}),
    async describe(pinned, context) {
      const { rows, columns } = await reader.describe(pinned, context);
      return { rows, columns: columns.map(({ name, hidden }) => ({ name, isHidden: hidden ?? false })) };
    },
    async read(input, context) {
      const asStored = input.offset !== undefined;
      const { chunks } = await reader.rows({ ...input, asStored, withBlobUrls: true }, context);
      const batches = await arrow.RecordBatchReader.from(chunks);
      await batches.open();
      return { schema: batches.schema, batches };
    },
  };
}
