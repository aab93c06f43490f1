const startSize = 4096;

/** Numbers for different values in the order in which they are first seen, by a 53-bit hash of their bytes. */
export class ValueIds {
  #hashes = new Float64Array(startSize).fill(-1);
  #ids = new Int32Array(startSize);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of the value; it is new when that is the size before. */
  idOf(hash: number): number {
    const mask = this.#hashes.length - 1;
    let slot = (hash % this.#hashes.length) & mask;
    while (this.#hashes[slot] !== -1 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    if (this.#hashes[slot] === hash) return this.#ids[slot]!;
    this.#hashes[slot] = hash;
    this.#ids[slot] = this.#size;
    this.#size += 1;
    if (this.#size * 2 > this.#hashes.length) this.#grow();
    return this.#size - 1;
  }

  #grow(): void {
    const [hashes, ids] = [this.#hashes, this.#ids];
    const length = hashes.length * 2;
    this.#hashes = new Float64Array(length).fill(-1);
    this.#ids = new Int32Array(length);
    for (let old = 0; old < hashes.length; old++) {
      if (hashes[old] === -1) continue;
      let slot = (hashes[old]! % length) & (length - 1);
      while (this.#hashes[slot] !== -1) slot = (slot + 1) & (length - 1);
      this.#hashes[slot] = hashes[old]!;
      this.#ids[slot] = ids[old]!;
    }
  }
}
