/** Reads a protobuf varint; the position after it is in `next`. */
function readVarint(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  let scale = 1;
  for (let next = at; next < bytes.length; next++) {
    value += (bytes[next]! & 0x7f) * scale;
    if (bytes[next]! < 0x80) return { value, next: next + 1 };
    scale *= 128;
  }
  throw new RangeError('cut off');
}

interface ProtoField {
  number: number;
  /** The number of a varint. */
  value: number;
  /** The bytes of a length-delimited field. */
  bytes: Uint8Array | null;
}

function* fieldsOf(bytes: Uint8Array): Generator<ProtoField> {
  let at = 0;
  while (at < bytes.length) {
    const key = readVarint(bytes, at);
    const number = key.value >>> 3;
    const kind = key.value & 7;
    if (kind === 0) {
      const { value, next } = readVarint(bytes, key.next);
      yield { number, value, bytes: null };
      at = next;
    } else if (kind === 2) {
      const { value: length, next } = readVarint(bytes, key.next);
      yield { number, value: 0, bytes: bytes.subarray(next, next + length) };
      at = next + length;
    } else {
      at = key.next + (kind === 1 ? 8 : 4);
    }
  }
}

const manifestField = { timestamp: 7, readerFlags: 9 } as const;
const stableRowIdsFlag = 2;
const footerSize = 16;

export interface ManifestFacts {
  /** When the version was committed. */
  at: Date | null;
  hasStableRowIds: boolean;
}

/** Facts of a version from its manifest file (Lance format: a footer, then the protobuf `Manifest`); null when it is damaged. */
export function readManifestFacts(file: Uint8Array): ManifestFacts | null {
  try {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const start = Number(view.getBigUint64(file.byteLength - footerSize, true));
    const length = view.getUint32(start, true);
    const facts: ManifestFacts = { at: null, hasStableRowIds: false };
    for (const field of fieldsOf(file.subarray(start + 4, start + 4 + length))) {
      if (field.number === manifestField.timestamp && field.bytes) facts.at = timeOf(field.bytes);
      if (field.number === manifestField.readerFlags)
        facts.hasStableRowIds = (field.value & stableRowIdsFlag) !== 0;
    }
    return facts;
  } catch {
    return null;
  }
}

function timeOf(timestamp: Uint8Array): Date {
  const parts = [...fieldsOf(timestamp)];
  const part = (number: number): number => parts.find((entry) => entry.number === number)?.value ?? 0;
  return new Date(part(1) * 1000 + Math.floor(part(2) / 1_000_000));
}
