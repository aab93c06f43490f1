const startSize = 1024;
const maxLoad = 0.5;

/**
 * Counts values by a 53-bit hash of their bytes, with the place where each was first seen. Two values share a hash with
 * a chance of one in ten thousand among a million of them.
 */
export class ValueCounter {
  #hashes = new Float64Array(startSize).fill(-1);
  #counts = new Uint32Array(startSize);
  #places = new Float64Array(startSize);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns how often the value was seen by now. */
  add(hash: number, place: number, count = 1): number {
    const mask = this.#hashes.length - 1;
    let slot = (hash % this.#hashes.length) & mask;
    while (this.#hashes[slot] !== -1 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    if (this.#hashes[slot] === -1) {
      this.#hashes[slot] = hash;
      this.#places[slot] = place;
      this.#size += 1;
    }
    this.#counts[slot]! += count;
    const seen = this.#counts[slot]!;
    if (this.#size > this.#hashes.length * maxLoad) this.#grow();
    return seen;
  }

  /** The most frequent values; of equally frequent ones those that were seen first. */
  top(limit: number): { hash: number; place: number; count: number }[] {
    const slots = Array.from(this.#hashes.keys()).filter((slot) => this.#hashes[slot] !== -1);
    slots.sort((a, b) => this.#counts[b]! - this.#counts[a]! || this.#places[a]! - this.#places[b]!);
    return slots
      .slice(0, limit)
      .map((slot) => ({ hash: this.#hashes[slot]!, place: this.#places[slot]!, count: this.#counts[slot]! }));
  }

  #grow(): void {
    const [hashes, counts, places] = [this.#hashes, this.#counts, this.#places];
    const length = hashes.length * 2;
    this.#hashes = new Float64Array(length).fill(-1);
    this.#counts = new Uint32Array(length);
    this.#places = new Float64Array(length);
    this.#size = 0;
    for (let slot = 0; slot < hashes.length; slot++)
      if (hashes[slot] !== -1) this.add(hashes[slot]!, places[slot]!, counts[slot]);
  }
}

/** FNV-1a in two lanes, as a number below 2^53. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    low = Math.imul(low ^ byte, 0x01000193);
    high = Math.imul(high ^ (byte + 0x9d), 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (high >>> 11) * 4_294_967_296 + (low >>> 0);
}
