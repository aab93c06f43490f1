import { brokenModel, countText } from './model.ts';
import { type PlyElement, type PlyHeader, type PlyScalar, plySizes, recordBytes } from './ply-header.ts';
import { TextTokens } from './text-tokens.ts';

/** Values of a PLY file in their order, whatever they are coded as. */
export interface PlyValues {
  /** The next value of a type. */
  next(type: PlyScalar): number;
  /** Bytes that are left. */
  readonly left: number;
  skip(type: PlyScalar, count: number): void;
  /** Leaves out records of a fixed size. */
  skipRecords(element: PlyElement): void;
  /** Bytes of a value at least. */
  leastBytes(type: PlyScalar): number;
}

export function openPlyValues(bytes: Uint8Array, { coding, start }: PlyHeader): PlyValues {
  return coding === 'ascii' ? new TextValues(bytes, start) : new BinaryValues(bytes, start, coding);
}

const ended = () => brokenModel('The PLY file ends before its last value.');

class TextValues implements PlyValues {
  #tokens: TextTokens;
  #end: number;

  constructor(bytes: Uint8Array, start: number) {
    this.#tokens = new TextTokens(bytes, start);
    this.#end = bytes.length;
  }

  get left(): number {
    return this.#end - this.#tokens.at;
  }

  next(): number {
    const value = this.#tokens.number();
    if (value === undefined) throw ended();
    return value;
  }

  skip(_type: PlyScalar, count: number): void {
    for (let at = 0; at < count; at++) this.next();
  }

  skipRecords({ count, properties }: PlyElement): void {
    this.skip('int8', count * properties.length);
  }

  leastBytes(): number {
    return 1;
  }
}

type Getter = (view: DataView, at: number, isLittle: boolean) => number;

const getters: Record<PlyScalar, Getter> = {
  int8: (view, at) => view.getInt8(at),
  uint8: (view, at) => view.getUint8(at),
  int16: (view, at, isLittle) => view.getInt16(at, isLittle),
  uint16: (view, at, isLittle) => view.getUint16(at, isLittle),
  int32: (view, at, isLittle) => view.getInt32(at, isLittle),
  uint32: (view, at, isLittle) => view.getUint32(at, isLittle),
  float32: (view, at, isLittle) => view.getFloat32(at, isLittle),
  float64: (view, at, isLittle) => view.getFloat64(at, isLittle),
};

class BinaryValues implements PlyValues {
  #view: DataView;
  #at: number;
  #isLittle: boolean;

  constructor(bytes: Uint8Array, start: number, coding: PlyHeader['coding']) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
    this.#isLittle = coding === 'binary_little_endian';
  }

  get left(): number {
    return this.#view.byteLength - this.#at;
  }

  next(type: PlyScalar): number {
    const at = this.#at;
    this.#at += plySizes[type];
    if (this.#at > this.#view.byteLength) throw ended();
    return getters[type](this.#view, at, this.#isLittle);
  }

  skip(type: PlyScalar, count: number): void {
    this.#at += plySizes[type] * count;
    if (this.#at > this.#view.byteLength) throw ended();
  }

  skipRecords(element: PlyElement): void {
    const bytes = recordBytes(element) ?? 0;
    this.#at += bytes * element.count;
    if (this.#at > this.#view.byteLength) throw ended();
  }

  leastBytes(type: PlyScalar): number {
    return plySizes[type];
  }
}

/** Throws when the rest of the file cannot hold what the header says of an element. */
export function assertPlyHolds(values: PlyValues, { name, count, properties }: PlyElement): void {
  const least = properties.reduce(
    (sum, { type, lengthType }) => sum + values.leastBytes(lengthType ?? type),
    0,
  );
  if (count * least <= values.left) return;
  const fit = least === 0 ? 0 : Math.max(0, Math.floor(values.left / least));
  throw brokenModel(
    `The PLY header says ${countText(count)} of “${name.slice(0, 40)}”, but the file ends after at most ${countText(fit)}.`,
  );
}

/** Leaves out an element that is not read. */
export function skipPlyElement(values: PlyValues, element: PlyElement): void {
  if (element.properties.length === 0) return;
  assertPlyHolds(values, element);
  if (element.properties.every(({ lengthType }) => lengthType === null)) {
    values.skipRecords(element);
    return;
  }
  for (let at = 0; at < element.count; at++)
    for (const { type, lengthType } of element.properties)
      values.skip(type, lengthType === null ? 1 : listLength(values, lengthType));
}

/** The length of a list; throws for one that cannot be. */
export function listLength(values: PlyValues, type: PlyScalar): number {
  const length = values.next(type);
  if (!Number.isInteger(length) || length < 0 || length > values.left)
    throw brokenModel('The PLY file has a list of a length that cannot be.');
  return length;
}
