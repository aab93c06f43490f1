/** LanceDB's own way to Arrow bytes: not public, so its shape is written down here. */
interface NativeQuery {
  getInner(): Promise<{ execute(maxBatchRows?: number): Promise<{ next(): Promise<Buffer | null> }> }>;
}

/** Runs a query to its end as Arrow IPC bytes, without decoding them; gives the number of bytes. */
export async function readIpcBytes(query: object, maxBatchRows: number): Promise<number> {
  const iterator = await (await (query as NativeQuery).getInner()).execute(maxBatchRows);
  let bytes = 0;
  for (let buffer = await iterator.next(); buffer; buffer = await iterator.next()) bytes += buffer.byteLength;
  return bytes;
}
