import { arrow, type RecordBatch } from '../../arrow/arrow.ts';
import { dataCellToJson } from '../../arrow/cell-json.ts';

function linesOf(batch: RecordBatch): string {
  const names = batch.schema.fields.map(({ name }) => name);
  const lines: string[] = [];
  for (let row = 0; row < batch.numRows; row += 1) {
    const cells = names.map((name, at) => [name, dataCellToJson(batch.data.children[at]!, row)]);
    lines.push(JSON.stringify(Object.fromEntries(cells)));
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** An Arrow stream as JSON, one object per line. */
export async function* rowsAsLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = await arrow.RecordBatchReader.from(chunks);
  await reader.open();
  try {
    for await (const batch of reader) yield Buffer.from(linesOf(batch));
  } finally {
    await reader.cancel();
  }
}
