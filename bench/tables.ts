import * as lancedb from '@lancedb/lancedb';
import { arrow } from '../server/arrow/arrow.ts';
import { createRandom } from './harness.ts';

const batchRows = 250_000;

const words = ['amber', 'basalt', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbor', 'island', 'juniper'];

export const connectBench = (home: string) =>
  lancedb.connect(home, {
    readConsistencyInterval: 0,
    storageOptions: { newTableEnableStableRowIds: 'true' },
  });

/** `rows` rows of an int64 key, a label, a caption and float64 columns: `columns` in all, from a fixed seed. */
export async function makeWideTable(
  home: string,
  name: string,
  { rows, columns, hasText }: { rows: number; columns: number; hasText: boolean },
): Promise<void> {
  const db = await connectBench(home);
  const random = createRandom(11);
  for (let from = 0; from < rows; from += batchRows) {
    const count = Math.min(batchRows, rows - from);
    const data: Record<string, InstanceType<typeof arrow.Vector>> = {
      id: arrow.makeVector(BigInt64Array.from({ length: count }, (_none, i) => BigInt(from + i))),
    };
    if (hasText) {
      data.label = arrow.vectorFromArray(
        Array.from({ length: count }, () => words[Math.floor(random() * words.length)]),
        new arrow.Utf8(),
      );
      data.caption = arrow.vectorFromArray(
        Array.from(
          { length: count },
          (_none, i) => `${words[i % 10]} ${words[(i * 7) % 10]} number ${from + i}`,
        ),
        new arrow.Utf8(),
      );
    }
    for (let c = Object.keys(data).length; c < columns; c++)
      data[`f${c}`] = arrow.makeVector(Float64Array.from({ length: count }, () => random() * 1000));
    const batch = new arrow.Table(data);
    if (from === 0) await db.createTable(name, batch);
    else await (await db.openTable(name)).add(batch);
  }
  await (await db.openTable(name)).optimize();
}
