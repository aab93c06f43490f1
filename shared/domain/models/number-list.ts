/** Whole numbers that are collected without knowing how many come. */
export class NumberList<T extends Uint32Array | Float32Array> {
  #values: T;
  #length = 0;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T, capacity = 1024) {
    this.#make = make;
    this.#values = make(capacity);
  }

  get length(): number {
    return this.#length;
  }

  push3(a: number, b: number, c: number): void {
    if (this.#length + 3 > this.#values.length) this.#grow();
    this.#values[this.#length++] = a;
    this.#values[this.#length++] = b;
    this.#values[this.#length++] = c;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  #grow(): void {
    const next = this.#make(this.#values.length * 2);
    next.set(this.#values as never);
    this.#values = next;
  }

  take(): T {
    return this.#values.slice(0, this.#length) as T;
  }
}

export const uint32List = (capacity?: number): NumberList<Uint32Array> =>
  new NumberList((length) => new Uint32Array(length), capacity);

export const float32List = (capacity?: number): NumberList<Float32Array> =>
  new NumberList((length) => new Float32Array(length), capacity);
