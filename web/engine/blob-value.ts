import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import { quoteText } from '#shared/sql/literal.ts';
import { addressOf } from '../api/index.ts';

/** Whether a DuckDB type is that of blob cells with their address. */
export const isBlobType = (type: string): boolean =>
  /^STRUCT\("?kind"? VARCHAR, "?sizeBytes"? DOUBLE, "?contentType"? VARCHAR, "?hash"? VARCHAR, "?url"? VARCHAR\)$/i.test(
    type,
  );

const placeholder = '0';

/** SQL for a blob cell with the address of its bytes, from the cell as it travels with rows and the row id. */
export function blobUrlValue(
  { table, ref }: { table: string; ref: PinnedRef },
  column: string,
  cell: string,
  rowId: string,
): string {
  const address = addressOf('blob', { table, column, rowId: placeholder }, { ref: formatRef(ref) });
  const [before = '', after = ''] = address.split(`/${placeholder}?`);
  const url = `${quoteText(`${before}/`)} || ${rowId} || ${quoteText(`?${after}`)}`;
  return `CASE WHEN ${cell} IS NOT NULL THEN struct_pack(kind := ${cell}.kind, "sizeBytes" := ${cell}."sizeBytes", "contentType" := ${cell}."contentType", hash := ${cell}.hash, url := ${url}) END`;
}
