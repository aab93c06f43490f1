interface Kept<T> {
  value: Promise<T>;
  bytes: number;
}

/** Values by key, the least recently used leaving first when there are too many bytes. */
export class ByteCache<T> {
  readonly #budgetBytes: number;
  readonly #kept = new Map<string, Kept<T>>();
  #bytes = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /** The value, made when it is not there. What fails, or was given up, is not kept. */
  get(key: string, make: () => Promise<T>, bytesOf: (value: T) => number): Promise<T> {
    const found = this.#kept.get(key);
    if (found) {
      this.#kept.delete(key);
      this.#kept.set(key, found);
      return found.value;
    }
    const entry: Kept<T> = { value: make(), bytes: 0 };
    this.#kept.set(key, entry);
    entry.value.then(
      (value) => {
        if (this.#kept.get(key) !== entry) return;
        entry.bytes = bytesOf(value);
        this.#bytes += entry.bytes;
        this.#makeRoom(key);
      },
      () => {
        if (this.#kept.get(key) === entry) this.#kept.delete(key);
      },
    );
    return entry.value;
  }

  #makeRoom(but: string): void {
    for (const [key, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#budgetBytes) return;
      if (key === but || bytes === 0) continue;
      this.#kept.delete(key);
      this.#bytes -= bytes;
    }
  }
}
