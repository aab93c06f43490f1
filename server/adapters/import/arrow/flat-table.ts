/**
 * A table of a FlatBuffers message, read in place: https://flatbuffers.dev/internals/. Offsets that leave the buffer
 * throw a RangeError, as hostile input must.
 */
export class FlatTable {
  readonly bytes: DataView;
  /** Where the table begins in its buffer. */
  readonly start: number;
  readonly #slots: number;
  readonly #slotsSize: number;

  constructor(bytes: DataView, at: number) {
    this.bytes = bytes;
    this.start = at;
    this.#slots = at - bytes.getInt32(at, true);
    this.#slotsSize = bytes.getUint16(this.#slots, true);
  }

  /** The root table of a buffer. */
  static root(buffer: Uint8Array): FlatTable {
    const bytes = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    return new FlatTable(bytes, bytes.getUint32(0, true));
  }

  /** Where a field's value stands, or 0 when it is left at its default. */
  at(field: number): number {
    const slot = 4 + field * 2;
    if (slot >= this.#slotsSize) return 0;
    const offset = this.bytes.getUint16(this.#slots + slot, true);
    return offset === 0 ? 0 : this.start + offset;
  }

  uint8(field: number): number {
    const at = this.at(field);
    return at === 0 ? 0 : this.bytes.getUint8(at);
  }

  int64(field: number): number {
    const at = this.at(field);
    return at === 0 ? 0 : Number(this.bytes.getBigInt64(at, true));
  }

  table(field: number): FlatTable | null {
    const at = this.at(field);
    return at === 0 ? null : new FlatTable(this.bytes, at + this.bytes.getUint32(at, true));
  }

  /** Where a vector's elements begin and how many there are, each of `elementSize` bytes. */
  vector(field: number, elementSize: number): { start: number; length: number } {
    const at = this.at(field);
    if (at === 0) return { start: 0, length: 0 };
    const start = at + this.bytes.getUint32(at, true);
    const length = this.bytes.getUint32(start, true);
    if (start + 4 + length * elementSize > this.bytes.byteLength)
      throw new RangeError('A vector leaves its message.');
    return { start: start + 4, length };
  }

  tables(field: number): FlatTable[] {
    const { start, length } = this.vector(field, 4);
    return Array.from({ length }, (_, index) => {
      const at = start + index * 4;
      return new FlatTable(this.bytes, at + this.bytes.getUint32(at, true));
    });
  }

  text(field: number): string {
    const { start, length } = this.vector(field, 1);
    return new TextDecoder().decode(new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + start, length));
  }
}
