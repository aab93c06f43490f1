const registerBits = 14;
const registers = 1 << registerBits;
const bias = 0.7213 / (1 + 1.079 / registers);

/** About how many different numbers there are, off by 0.8 % (Flajolet and others, HyperLogLog, 2007; few are counted linearly). */
export class DistinctSketch {
  readonly #ranks = new Uint8Array(registers);
  readonly #number = new Float64Array(1);
  readonly #words = new Uint32Array(this.#number.buffer);

  add(value: number): void {
    this.#number[0] = value + 0;
    const low = this.#words[0]!;
    const high = this.#words[1]!;
    let place = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
    place = Math.imul(place ^ (place >>> 13), 0xc2b2ae35);
    place ^= place >>> 16;
    let rest = Math.imul(high ^ place, 0x27d4eb2f) ^ low;
    rest = Math.imul(rest ^ (rest >>> 15), 0x165667b1);
    rest ^= rest >>> 13;
    const rank = Math.clz32(rest) + 1;
    const at = place >>> (32 - registerBits);
    if (rank > this.#ranks[at]!) this.#ranks[at] = rank;
  }

  estimate(): number {
    let sum = 0;
    let empty = 0;
    for (const rank of this.#ranks) {
      sum += 2 ** -rank;
      if (rank === 0) empty += 1;
    }
    const raw = (bias * registers * registers) / sum;
    const isFew = raw < 2.5 * registers && empty > 0;
    return Math.round(isFew ? registers * Math.log(registers / empty) : raw);
  }
}
