/** Kinds of messages in an Arrow stream. */
export const messageKind = { schema: 1, dictionary: 2, batch: 3 } as const;

export interface IpcMessage {
  /** `null`: the end marker. */
  kind: number | null;
  /** Bytes from its beginning to the end of its body. */
  length: number;
  /** Of a batch. */
  rows: number;
}

/** The message that the bytes begin with, or `null` while its head is not there yet. Reads the flatbuffer by hand. */
export function readMessage(bytes: Uint8Array): IpcMessage | null {
  if (bytes.byteLength < 8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headLength = view.getInt32(4, true);
  if (headLength === 0) return { kind: null, length: 8, rows: 0 };
  if (bytes.byteLength < 8 + headLength) return null;
  const fieldOf = (table: number, index: number): number => {
    const names = table - view.getInt32(table, true);
    const slot = 4 + 2 * index;
    const offset = slot < view.getUint16(names, true) ? view.getUint16(names + slot, true) : 0;
    return offset === 0 ? 0 : table + offset;
  };
  const message = 8 + view.getInt32(8, true);
  const [kindAt, headerAt, bodyAt] = [fieldOf(message, 1), fieldOf(message, 2), fieldOf(message, 3)];
  const kind = kindAt === 0 ? 0 : view.getUint8(kindAt);
  const body = bodyAt === 0 ? 0 : Number(view.getBigInt64(bodyAt, true));
  const rowsAt =
    kind === messageKind.batch && headerAt !== 0 ? fieldOf(headerAt + view.getInt32(headerAt, true), 0) : 0;
  return {
    kind,
    length: 8 + headLength + body,
    rows: rowsAt === 0 ? 0 : Number(view.getBigInt64(rowsAt, true)),
  };
}

/** Rows of all batches in whole messages. */
export function countRows(messages: Uint8Array): number {
  let rows = 0;
  let rest = messages;
  for (
    let message = readMessage(rest);
    message && rest.byteLength >= message.length;
    message = readMessage(rest)
  ) {
    rows += message.rows;
    rest = rest.subarray(message.length);
  }
  return rows;
}
