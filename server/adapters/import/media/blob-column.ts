import { arrow, type Data, type Field, type Struct } from '../../../arrow/arrow.ts';

const extensionName = 'ARROW:extension:name';
const blobExtension = 'lance.blob.v2';

/** How Lance takes a blob column in: https://lance.org/guide/blob/. */
const blobType = (): Struct =>
  new arrow.Struct([
    new arrow.Field('data', new arrow.LargeBinary(), true),
    new arrow.Field('uri', new arrow.Utf8(), true),
  ]) as Struct;

/** A field whose payloads Lance keeps beside the rows. */
export function blobField(name: string, metadata: ReadonlyMap<string, string> = new Map()): Field {
  return new arrow.Field(name, blobType(), true, new Map([...metadata, [extensionName, blobExtension]]));
}

export const isBlobField = (field: Field): boolean => field.metadata.get(extensionName) === blobExtension;

interface BlobBuffers {
  length: number;
  nullCount: number;
  nullBitmap: Uint8Array | null;
  valueOffsets: BigInt64Array;
  data: Uint8Array;
}

/** Cells of a blob column out of the buffers of a binary one. */
export function wrapAsBlobs({ length, nullCount, nullBitmap, valueOffsets, data }: BlobBuffers): Data {
  const type = blobType();
  const payload = arrow.makeData({
    type: new arrow.LargeBinary(),
    length,
    nullCount,
    nullBitmap,
    valueOffsets,
    data,
  });
  const uri = arrow.makeData({
    type: new arrow.Utf8(),
    length,
    nullCount: length,
    nullBitmap: new Uint8Array(((length + 63) >> 6) << 3),
    valueOffsets: new Int32Array(length + 1),
    data: new Uint8Array(0),
  });
  return arrow.makeData({ type, length, nullCount, nullBitmap, children: [payload, uri] as never }) as Data;
}

/** Cells of a blob column, none of them null. */
export function makeBlobs(payloads: readonly Uint8Array[]): Data {
  const valueOffsets = new BigInt64Array(payloads.length + 1);
  let total = 0;
  payloads.forEach((payload, index) => {
    total += payload.length;
    valueOffsets[index + 1] = BigInt(total);
  });
  const data = new Uint8Array(total);
  payloads.forEach((payload, index) => {
    data.set(payload, Number(valueOffsets[index]));
  });
  return wrapAsBlobs({ length: payloads.length, nullCount: 0, nullBitmap: null, valueOffsets, data });
}
