import { Buffer } from 'node:buffer';
import { arrow, type RecordBatch } from './arrow.ts';
import { dataCellToJson, type JsonCell } from './cell-json.ts';

const needsQuotes = /[",\r\n]|^\s|\s$/;

/** One value in RFC 4180: nothing for null, quotes for an empty text; lists and structs as JSON, blob cells as their address. */
export function formatCsvCell(value: JsonCell): string {
  if (value === null) return '';
  const text =
    typeof value === 'object'
      ? !Array.isArray(value) && typeof value.url === 'string' && 'sizeBytes' in value
        ? value.url
        : JSON.stringify(value)
      : String(value);
  return text === '' || needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvOfBatch(batch: RecordBatch): string {
  const lines: string[] = [];
  for (let row = 0; row < batch.numRows; row += 1) {
    lines.push(batch.data.children.map((data) => formatCsvCell(dataCellToJson(data, row))).join(','));
  }
  return lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`;
}

/** An Arrow stream as CSV in UTF-8, with a line of names first. */
export async function* rowsAsCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = await arrow.RecordBatchReader.from(chunks);
  await reader.open();
  try {
    yield Buffer.from(`${reader.schema.fields.map(({ name }) => formatCsvCell(name)).join(',')}\r\n`);
    for await (const batch of reader) yield Buffer.from(csvOfBatch(batch));
  } finally {
    await reader.cancel();
  }
}
