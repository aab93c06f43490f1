import { Buffer } from 'node:buffer';

/** Reads the fields of a protobuf message, one after the other, without copying. */
export class ProtoReader {
  #bytes: Buffer;
  #at = 0;
  #wire = 0;
  /** The number of the field that `next` has come to. */
  field = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Goes to the next field; every field must be read or skipped before. */
  next(): boolean {
    if (this.#at >= this.#bytes.length) return false;
    const key = this.#varint();
    this.field = Math.floor(key / 8);
    this.#wire = key % 8;
    return true;
  }

  /** A varint or fixed number; exact up to 2^53. */
  number(): number {
    if (this.#wire === 0) return this.#varint();
    return Number(this.bigint());
  }

  /** A signed 32- or 64-bit varint. */
  signed(): number {
    return Number(BigInt.asIntN(64, this.bigint()));
  }

  bigint(): bigint {
    const start = this.#at;
    if (this.#wire === 1) {
      this.#at += 8;
      return this.#bytes.readBigUInt64LE(start);
    }
    if (this.#wire === 5) {
      this.#at += 4;
      return BigInt(this.#bytes.readUInt32LE(start));
    }
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
  }

  bytes(): Buffer {
    const length = this.#varint();
    if (this.#at + length > this.#bytes.length) throw new RangeError('The message is cut off.');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  text(): string {
    return this.bytes().toString('utf8');
  }

  /** One signed number, or many packed ones. */
  signedNumbers(): number[] {
    if (this.#wire === 0) return [this.signed()];
    const packed = new ProtoReader(this.bytes());
    const numbers: number[] = [];
    while (packed.#at < packed.#bytes.length) numbers.push(packed.signed());
    return numbers;
  }

  skip(): void {
    if (this.#wire === 0) this.#varint();
    else if (this.#wire === 2) this.bytes();
    else this.#at += this.#wire === 1 ? 8 : 4;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError('The message is cut off.');
    this.#at += 1;
    return byte;
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }
}

/** An entry of a protobuf map of texts. */
export function readEntry(bytes: Uint8Array): [string, string] {
  const reader = new ProtoReader(bytes);
  let [key, value] = ['', ''];
  while (reader.next()) {
    if (reader.field === 1) key = reader.text();
    else if (reader.field === 2) value = reader.text();
    else reader.skip();
  }
  return [key, value];
}
