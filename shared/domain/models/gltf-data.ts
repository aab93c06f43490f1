import { type GltfFile, indexOf, type JsonObject, objectOf, objectsOf, readDataUri } from './gltf-file.ts';
import { brokenModel, countText, unreadModel } from './model.ts';

/** Values of an accessor as floats: normalised where it says so, one after the other. */
export interface AccessorValues {
  values: Float32Array;
  count: number;
  /** Numbers in one element. */
  width: number;
}

/** Geometry that lies in other files, which are never fetched. */
export class ExternalData extends Error {
  readonly uri: string;
  constructor(uri: string) {
    super('external');
    this.uri = uri;
  }
}

interface ComponentType {
  bytes: number;
  read: (view: DataView, at: number) => number;
  /** What stands for 1 where values are normalised. */
  full: number;
}

const componentTypes: Record<number, ComponentType> = {
  5120: { bytes: 1, read: (view, at) => view.getInt8(at), full: 127 },
  5121: { bytes: 1, read: (view, at) => view.getUint8(at), full: 255 },
  5122: { bytes: 2, read: (view, at) => view.getInt16(at, true), full: 32_767 },
  5123: { bytes: 2, read: (view, at) => view.getUint16(at, true), full: 65_535 },
  5125: { bytes: 4, read: (view, at) => view.getUint32(at, true), full: 4_294_967_295 },
  5126: { bytes: 4, read: (view, at) => view.getFloat32(at, true), full: 1 },
};

const widths: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

/** Elements that one accessor may have. */
const maxElements = 20_000_000;
/** Of those whose bytes are not in the file, but for a few. */
const maxSparseElements = 4_000_000;

/** The buffers and accessors of a glTF file; nothing outside of the file is ever read. */
export class GltfData {
  readonly #file: GltfFile;
  readonly #buffers: JsonObject[];
  readonly #views: JsonObject[];
  readonly #accessors: JsonObject[];
  readonly #opened = new Map<number, Uint8Array>();

  constructor(file: GltfFile) {
    this.#file = file;
    this.#buffers = objectsOf(file.json.buffers);
    this.#views = objectsOf(file.json.bufferViews);
    this.#accessors = objectsOf(file.json.accessors);
  }

  /** Elements of an accessor, as its description says. */
  countOf(index: number): number {
    return indexOf(this.#accessorAt(index).count) ?? 0;
  }

  #accessorAt(index: number): JsonObject {
    const accessor = this.#accessors[index];
    if (!accessor)
      throw brokenModel(`The glTF file names accessor ${index}, but has ${this.#accessors.length}.`);
    return accessor;
  }

  #bufferAt(index: number): Uint8Array {
    const known = this.#opened.get(index);
    if (known) return known;
    const buffer = this.#buffers[index];
    if (!buffer) throw brokenModel(`The glTF file names buffer ${index}, but has ${this.#buffers.length}.`);
    const opened = this.#openBuffer(index, buffer);
    const told = indexOf(buffer.byteLength) ?? 0;
    if (told > opened.length)
      throw brokenModel(`Buffer ${index} of the glTF file has ${opened.length} bytes instead of ${told}.`);
    this.#opened.set(index, opened);
    return opened;
  }

  #openBuffer(index: number, { uri }: JsonObject): Uint8Array {
    if (typeof uri === 'string') {
      const data = readDataUri(uri);
      if (!data) throw new ExternalData(uri);
      return data.bytes;
    }
    if (index === 0 && this.#file.chunk) return this.#file.chunk;
    throw brokenModel(`Buffer ${index} of the glTF file has no bytes.`);
  }

  /** The bytes of a buffer view, inside of its buffer. */
  view(index: number): { bytes: Uint8Array; stride: number | null } {
    const view = this.#views[index];
    if (!view) throw brokenModel(`The glTF file names buffer view ${index}, but has ${this.#views.length}.`);
    const compressed = Object.keys(objectOf(view.extensions)).find((name) => /meshopt/.test(name));
    if (compressed)
      throw unreadModel(`The geometry is compressed (${compressed}), which Curio does not decode.`);
    const buffer = this.#bufferAt(indexOf(view.buffer) ?? -1);
    const start = indexOf(view.byteOffset) ?? 0;
    const length = indexOf(view.byteLength) ?? 0;
    if (start + length > buffer.length)
      throw brokenModel(`Buffer view ${index} of the glTF file goes on beyond the end of its buffer.`);
    return { bytes: buffer.subarray(start, start + length), stride: indexOf(view.byteStride) };
  }

  read(index: number, width: number): AccessorValues {
    const accessor = this.#accessorAt(index);
    const count = this.countOf(index);
    const found = widths[String(accessor.type)];
    const component = componentTypes[indexOf(accessor.componentType) ?? -1];
    if (!found || !component || (width > 0 && found < width))
      throw brokenModel(
        `Accessor ${index} of the glTF file is of a kind that does not fit what it is used for.`,
      );
    const view = indexOf(accessor.bufferView);
    const most = view === null ? maxSparseElements : maxElements;
    if (count > most)
      throw unreadModel(
        `The model has an accessor of ${countText(count)} elements; at most ${countText(most)} are read.`,
      );
    if (view === null && !accessor.sparse && count > 0)
      throw unreadModel(
        'The model has geometry without bytes: it needs an extension of glTF that Curio does not read.',
      );
    const bytes = view === null ? null : this.#assertInside(index, { view, count, width: found, component });
    const values = new Float32Array(count * found);
    const scale = accessor.normalized === true ? 1 / component.full : 1;
    if (bytes) {
      const data = new DataView(bytes.bytes.buffer, bytes.bytes.byteOffset, bytes.bytes.byteLength);
      for (let at = 0; at < count; at++)
        for (let part = 0; part < found; part++)
          values[at * found + part] =
            component.read(data, bytes.start + at * bytes.stride + part * component.bytes) * scale;
    }
    this.#applySparse(index, { values, width: found, component, scale });
    return { values, count, width: found };
  }

  /** Indices, exactly. */
  readIndices(index: number): Uint32Array {
    const accessor = this.#accessorAt(index);
    const count = this.countOf(index);
    const component = componentTypes[indexOf(accessor.componentType) ?? -1];
    const view = indexOf(accessor.bufferView);
    if (
      !component ||
      component.full === 1 ||
      accessor.type !== 'SCALAR' ||
      view === null ||
      count > maxElements * 3
    )
      throw brokenModel(`Accessor ${index} of the glTF file cannot hold indices.`);
    return this.#numbers(this.#assertInside(index, { view, count, width: 1, component }), count, component);
  }

  #numbers(
    { bytes, start, stride }: { bytes: Uint8Array; start: number; stride: number },
    count: number,
    component: ComponentType,
  ): Uint32Array {
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const numbers = new Uint32Array(count);
    for (let at = 0; at < count; at++) numbers[at] = component.read(data, start + at * stride);
    return numbers;
  }

  #assertInside(
    index: number,
    {
      view,
      count,
      width,
      component,
    }: { view: number; count: number; width: number; component: ComponentType },
  ): { bytes: Uint8Array; start: number; stride: number } {
    const { bytes, stride: told } = this.view(view);
    const size = width * component.bytes;
    const stride = told ?? size;
    const start = indexOf(this.#accessorAt(index).byteOffset) ?? 0;
    if (count > 0 && (stride < size || start + stride * (count - 1) + size > bytes.length))
      throw brokenModel(`Accessor ${index} of the glTF file goes on beyond the end of its bytes.`);
    return { bytes, start, stride };
  }

  #applySparse(
    index: number,
    {
      values,
      width,
      component,
      scale,
    }: { values: Float32Array; width: number; component: ComponentType; scale: number },
  ): void {
    const sparse = objectOf(this.#accessorAt(index).sparse);
    const count = indexOf(sparse.count) ?? 0;
    if (count === 0) return;
    const [at, to] = [objectOf(sparse.indices), objectOf(sparse.values)];
    const indexType = componentTypes[indexOf(at.componentType) ?? -1];
    const where = this.view(indexOf(at.bufferView) ?? -1).bytes.subarray(indexOf(at.byteOffset) ?? 0);
    const what = this.view(indexOf(to.bufferView) ?? -1).bytes.subarray(indexOf(to.byteOffset) ?? 0);
    if (!indexType || count * indexType.bytes > where.length || count * width * component.bytes > what.length)
      throw brokenModel(`Accessor ${index} of the glTF file goes on beyond the end of its bytes.`);
    const places = this.#numbers({ bytes: where, start: 0, stride: indexType.bytes }, count, indexType);
    const data = new DataView(what.buffer, what.byteOffset, what.byteLength);
    for (const [order, place] of places.entries()) {
      if ((place + 1) * width > values.length)
        throw brokenModel(`Accessor ${index} of the glTF file sets elements that it does not have.`);
      for (let part = 0; part < width; part++)
        values[place * width + part] = component.read(data, (order * width + part) * component.bytes) * scale;
    }
  }
}
