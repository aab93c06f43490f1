import { describe, expect, it } from 'vitest';
import { arrow, type RecordBatch } from '../../arrow/arrow.ts';
import { groupBatches, groupBytes, tableOfGroup } from './batch-groups.ts';

function batchOf(rows: number, bytesPerRow: number): RecordBatch {
  const data = arrow.makeData({
    type: new arrow.Utf8(),
    length: rows,
    nullCount: 0,
    valueOffsets: Int32Array.from({ length: rows + 1 }, (_, row) => row * bytesPerRow),
    data: new Uint8Array(rows * bytesPerRow).fill(120),
  });
  const schema = new arrow.Schema([new arrow.Field('t', new arrow.Utf8(), true)]);
  return new arrow.RecordBatch(
    schema,
    arrow.makeData({
      type: new arrow.Struct(schema.fields),
      length: rows,
      nullCount: 0,
      children: [data] as never,
    }) as never,
  );
}

async function sizes(...batches: RecordBatch[]): Promise<number[][]> {
  const groups: number[][] = [];
  const source = async function* () {
    yield* batches;
  };
  for await (const group of groupBatches(source())) groups.push(group.map((batch) => batch.numRows));
  return groups;
}

const third = Math.floor(groupBytes / 3);

describe('groupBatches', () => {
  it('gathers small batches, and leaves empty ones out', async () => {
    expect(await sizes(batchOf(2, 10), batchOf(0, 10), batchOf(3, 10))).toEqual([[2, 3]]);
    expect(await sizes()).toEqual([]);
  });

  it('closes a group before it becomes too large', async () => {
    expect(await sizes(batchOf(1, third), batchOf(1, third), batchOf(1, third), batchOf(1, third))).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('cuts a batch that is larger than a group, but never a row', async () => {
    expect(await sizes(batchOf(6, third))).toEqual([[2], [2], [2]]);
    expect(await sizes(batchOf(1, groupBytes * 2))).toEqual([[1]]);
  });
});

describe('tableOfGroup', () => {
  it('joins dictionaries that differ from batch to batch', () => {
    const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
    const schema = new arrow.Schema([new arrow.Field('d', type, true)]);
    const batches = [
      ['a', 'b'],
      ['c', 'a'],
    ].map((words) => {
      const data = arrow.makeData({
        type,
        length: 2,
        nullCount: 0,
        data: Int32Array.of(0, 1),
        dictionary: arrow.vectorFromArray(words, new arrow.Utf8()),
      });
      return new arrow.RecordBatch(
        schema,
        arrow.makeData({
          type: new arrow.Struct(schema.fields),
          length: 2,
          nullCount: 0,
          children: [data] as never,
        }) as never,
      );
    });
    const back = arrow.tableFromIPC(arrow.tableToIPC(tableOfGroup(schema, batches), 'file'));
    expect([...back.getChild('d')!]).toEqual(['a', 'b', 'c', 'a']);
  });
});
