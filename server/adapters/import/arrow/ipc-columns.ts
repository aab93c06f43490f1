import { arrow, type Data, type DataType, type Dictionary, type Vector } from '../../../arrow/arrow.ts';
import { gather } from '../../../arrow/gather.ts';
import type { BatchNode, BatchParts } from './ipc-buffers.ts';
import { type Layout, typeTag } from './ipc-layout.ts';

/** Values of dictionary-encoded columns, by the id in the schema. */
export type Dictionaries = Map<number, Vector>;

const maxOffset = 2 ** 31 - 1;
const viewSize = 16;
const inlineView = 12;

const make = (type: DataType, facts: Record<string, unknown>): Data =>
  arrow.makeData({ type, ...facts } as never) as Data;

const outOfRange = (): RangeError => new RangeError('An offset leaves its column.');

/** Reads the columns of one batch, in order; arrow-js has no class for some of their layouts. */
export class ColumnReader {
  readonly #parts: BatchParts;
  readonly #dictionaries: Dictionaries;
  #node = 0;
  #buffer = 0;
  #variadic = 0;

  constructor(parts: BatchParts, dictionaries: Dictionaries) {
    this.#parts = parts;
    this.#dictionaries = dictionaries;
  }

  read(type: DataType, layout: Layout): Data {
    const node = this.#nextNode();
    if (layout.dictionaryId !== null) return this.#readEncoded(type as Dictionary, layout.dictionaryId, node);
    switch (layout.tag) {
      case typeTag.null:
        return make(type, { length: node.length });
      case typeTag.binary:
      case typeTag.utf8:
      case typeTag.largeBinary:
      case typeTag.largeUtf8: {
        const facts = this.#validity(node);
        return make(type, {
          ...facts,
          valueOffsets: this.#offsets(node, layout.tag),
          data: this.#nextBuffer(),
        });
      }
      case typeTag.binaryView:
      case typeTag.utf8View:
        return this.#readViews(type, node);
      case typeTag.list:
      case typeTag.map: {
        const facts = this.#validity(node);
        const valueOffsets = this.#offsets(node, layout.tag);
        return make(type, { ...facts, valueOffsets, child: this.#readChild(type, layout) });
      }
      case typeTag.largeList: {
        const facts = this.#validity(node);
        const wide = this.#offsets(node, layout.tag) as BigInt64Array;
        if (wide[node.length]! > BigInt(maxOffset))
          throw new Error('The lists of one batch have more than 2^31 values.');
        return make(type, {
          ...facts,
          valueOffsets: Int32Array.from(wide, Number),
          child: this.#readChild(type, layout),
        });
      }
      case typeTag.listView:
      case typeTag.largeListView:
        return this.#readListViews(type, layout, node);
      case typeTag.fixedSizeList: {
        const facts = this.#validity(node);
        return make(type, { ...facts, child: this.#readChild(type, layout) });
      }
      case typeTag.struct: {
        const facts = this.#validity(node);
        const children = layout.children.map((child, index) => this.read(type.children[index]!.type, child));
        return make(type, { ...facts, children });
      }
      default: {
        const facts = this.#validity(node);
        return make(type, { ...facts, data: this.#nextBuffer() });
      }
    }
  }

  #nextNode(): BatchNode {
    const node = this.#parts.nodes[this.#node++];
    if (!node || node.length < 0) throw new RangeError('A column is missing.');
    return node;
  }

  #nextBuffer(): Uint8Array {
    const buffer = this.#parts.buffers[this.#buffer++];
    if (!buffer) throw new RangeError('A buffer is missing.');
    return buffer.byteOffset % 8 === 0 ? buffer : buffer.slice();
  }

  #validity({ length, nullCount }: BatchNode): {
    length: number;
    nullCount: number;
    nullBitmap: Uint8Array | null;
  } {
    const bitmap = this.#nextBuffer();
    if (nullCount === 0) return { length, nullCount, nullBitmap: null };
    if (bitmap.length * 8 < length) throw outOfRange();
    return { length, nullCount, nullBitmap: bitmap };
  }

  #offsets({ length }: BatchNode, tag: number): Int32Array | BigInt64Array {
    const bytes = this.#nextBuffer();
    const isWide = tag === typeTag.largeBinary || tag === typeTag.largeUtf8 || tag === typeTag.largeList;
    if (bytes.length === 0 && length === 0) return isWide ? new BigInt64Array(1) : new Int32Array(1);
    const Offsets = isWide ? BigInt64Array : Int32Array;
    if (bytes.length < (length + 1) * Offsets.BYTES_PER_ELEMENT) throw outOfRange();
    return new Offsets(bytes.buffer as ArrayBuffer, bytes.byteOffset, length + 1);
  }

  #readChild(type: DataType, layout: Layout): Data {
    const child = layout.children[0];
    const field = type.children[0];
    if (!child || !field) throw new RangeError('A list has no values.');
    return this.read(field.type, child);
  }

  #readEncoded(type: Dictionary, id: number, node: BatchNode): Data {
    const facts = this.#validity(node);
    const dictionary = this.#dictionaries.get(id) ?? arrow.makeVector(make(type.dictionary, { length: 0 }));
    return make(type, { ...facts, data: this.#nextBuffer(), dictionary });
  }

  #readViews(type: DataType, node: BatchNode): Data {
    const facts = this.#validity(node);
    const views = this.#nextBuffer();
    const count = this.#parts.variadicCounts[this.#variadic++] ?? 0;
    const sources = Array.from({ length: count }, () => this.#nextBuffer());
    if (views.length < node.length * viewSize) throw outOfRange();
    const view = new DataView(views.buffer, views.byteOffset, views.byteLength);
    const isValid = (row: number) => !facts.nullBitmap || (facts.nullBitmap[row >> 3]! >> (row & 7)) & 1;
    const valueOffsets = new Int32Array(node.length + 1);
    let total = 0;
    for (let row = 0; row < node.length; row += 1) {
      if (isValid(row)) total += view.getInt32(row * viewSize, true);
      if (total > maxOffset) throw new Error('The texts of one batch have more than 2 GB.');
      valueOffsets[row + 1] = total;
    }
    const data = new Uint8Array(total);
    for (let row = 0; row < node.length; row += 1) {
      const size = valueOffsets[row + 1]! - valueOffsets[row]!;
      if (size === 0) continue;
      const at = row * viewSize;
      const isInline = size <= inlineView;
      const source = isInline ? views : sources[view.getInt32(at + 8, true)];
      const start = isInline ? at + 4 : view.getInt32(at + 12, true);
      if (!source || start < 0 || start + size > source.length) throw outOfRange();
      data.set(source.subarray(start, start + size), valueOffsets[row]!);
    }
    return make(type, { ...facts, valueOffsets, data });
  }

  #readListViews(type: DataType, layout: Layout, node: BatchNode): Data {
    const facts = this.#validity(node);
    const Integers = layout.tag === typeTag.largeListView ? BigInt64Array : Int32Array;
    const integers = (): number[] => {
      const bytes = this.#nextBuffer();
      if (bytes.length < node.length * Integers.BYTES_PER_ELEMENT) throw outOfRange();
      return Array.from(new Integers(bytes.buffer as ArrayBuffer, bytes.byteOffset, node.length), Number);
    };
    const starts = integers();
    const sizes = integers();
    const child = this.#readChild(type, layout);
    const valueOffsets = new Int32Array(node.length + 1);
    const picked: number[] = [];
    for (let row = 0; row < node.length; row += 1) {
      const isValid = !facts.nullBitmap || (facts.nullBitmap[row >> 3]! >> (row & 7)) & 1;
      const size = isValid ? sizes[row]! : 0;
      if (size < 0 || starts[row]! < 0 || (size > 0 && starts[row]! + size > child.length))
        throw outOfRange();
      for (let index = 0; index < size; index += 1) picked.push(starts[row]! + index);
      valueOffsets[row + 1] = picked.length;
    }
    return make(type, { ...facts, valueOffsets, child: gather(child, Int32Array.from(picked)) });
  }
}
