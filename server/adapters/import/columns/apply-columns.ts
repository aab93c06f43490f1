import { arrow, type Data, type RecordBatch } from '../../../arrow/arrow.ts';
import type { ColumnPlan } from './plan-columns.ts';

/** `start`, `start + 1`, … as 64-bit integers. */
function countUp(start: number, length: number): Data {
  const words = new Uint32Array(length * 2);
  for (let row = 0; row < length; row += 1) {
    const value = start + row;
    words[row * 2] = value;
    words[row * 2 + 1] = Math.floor(value / 2 ** 32);
  }
  return arrow.makeData({
    type: new arrow.Int64(),
    length,
    nullCount: 0,
    data: new BigInt64Array(words.buffer),
  }) as Data;
}

/** The rows of a batch as the table holds them; `start` is the number of its first row. */
export function applyColumns(plan: ColumnPlan, batch: RecordBatch, start: number): RecordBatch {
  const children = plan.steps.map(({ from, convert }) => {
    const data = batch.data.children[from]!;
    return convert ? convert(data) : data;
  });
  if (plan.hasHiddenKey) children.push(countUp(start, batch.numRows));
  const data = arrow.makeData({
    type: new arrow.Struct(plan.schema.fields),
    length: batch.numRows,
    nullCount: 0,
    children: children as never,
  });
  return new arrow.RecordBatch(plan.schema, data as never);
}
