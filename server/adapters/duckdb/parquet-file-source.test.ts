import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { dataCellToJson } from '../../arrow/cell-json.ts';
import { openDuckdbParquetSource } from './parquet-file-source.ts';

const testdata = new URL('../import/testdata/', import.meta.url).pathname;
const never = new AbortController().signal;

const open = async (name: string) => {
  const path = testdata + name;
  return openDuckdbParquetSource({ path, label: name, sizeBytes: (await stat(path)).size }, never);
};

it('reads Parquet by its own types', async () => {
  const source = await open('polars.parquet');
  const columns: Record<string, unknown[]> = {};
  for await (const batch of source.batches(never)) {
    batch.schema.fields.forEach(({ name }, at) => {
      columns[name] = Array.from({ length: batch.numRows }, (_, row) =>
        dataCellToJson(batch.data.children[at]!, row),
      );
    });
  }
  expect([source.rowCount, source.bytesRead()]).toEqual([3, source.sizeBytes]);
  expect(columns).toMatchObject({
    s: ['a', null, 'long string over twelve bytes'],
    l: [['1', '2'], null, []],
    c: ['a', 'b', null],
    bin: ['YQ==', null, ''],
  });
  await source.close();
});

it('names a file that is none', async () => {
  await expect(open('views.arrows')).rejects.toMatchObject({
    code: 'INVALID_FILE',
    message: expect.stringMatching(/^views\.arrows: (?!.*\/)/),
  });
});
