import { arrow } from '../server/arrow/arrow.ts';
import { createRandom } from './harness.ts';
import { connectBench } from './tables.ts';

const million = 1_000_000;

/**
 * `rows` rows of an int64 key, a float64, an int32 of a million values and one of ten: narrow, from a fixed seed. A table
 * that is there, in a home that was kept (`CURIO_BENCH_HOME`), is used again.
 */
export async function makeNarrowTable(home: string, name: string, rows: number): Promise<void> {
  const db = await connectBench(home);
  if ((await db.tableNames()).includes(name)) return;
  const random = createRandom(5);
  for (let from = 0; from < rows; from += million) {
    const count = Math.min(million, rows - from);
    const batch = new arrow.Table({
      id: arrow.makeVector(BigInt64Array.from({ length: count }, (_none, i) => BigInt(from + i))),
      score: arrow.makeVector(Float64Array.from({ length: count }, () => random() * 1000)),
      n: arrow.makeVector(Int32Array.from({ length: count }, () => Math.floor(random() * million))),
      label: arrow.makeVector(Int32Array.from({ length: count }, () => Math.floor(random() * 10))),
    });
    if (from === 0) await db.createTable(name, batch);
    else await (await db.openTable(name)).add(batch);
  }
}
