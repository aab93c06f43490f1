const registerBits = 14;
const registers = 1 << registerBits;
/** Of 32 bits without a one. */
const maxRank = 33;

const placeSeed = 0x9747b28c;
const restSeed = 0x3c6ef372;

/** The steps of MurmurHash3 (x86, 32 bits; Austin Appleby, 2011) over the two words of a number. */
const scramble = (word: number): number => {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
};

const chain = (hash: number, word: number): number => {
  const mixed = hash ^ word;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
};

const finish = (hash: number): number => {
  let mixed = hash ^ 8;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
};

/**
 * About how many different numbers there are, off by 0.8 % however few or many: HyperLogLog (Flajolet and others, 2007)
 * with the improved raw estimator of Ertl (New cardinality estimation algorithms for HyperLogLog sketches, 2017, algorithm 6).
 */
export class DistinctSketch {
  readonly #ranks = new Uint8Array(registers);
  readonly #number = new Float64Array(1);
  readonly #words = new Uint32Array(this.#number.buffer);

  add(value: number): void {
    this.#number[0] = value + 0;
    const low = this.#words[0]!;
    const high = this.#words[1]!;
    const first = scramble(low);
    const second = scramble(high);
    const place = finish(chain(chain(placeSeed, first), second));
    const rest = finish(chain(chain(restSeed, first), second));
    const rank = Math.clz32(rest) + 1;
    const at = place >>> (32 - registerBits);
    if (rank > this.#ranks[at]!) this.#ranks[at] = rank;
  }

  estimate(): number {
    const counts = new Float64Array(maxRank + 1);
    for (const rank of this.#ranks) counts[rank]! += 1;
    let sum = registers * tau(1 - counts[maxRank]! / registers);
    for (let rank = maxRank - 1; rank > 0; rank--) sum = (sum + counts[rank]!) / 2;
    sum += registers * sigma(counts[0]! / registers);
    return Math.round(registers ** 2 / (2 * Math.LN2 * sum));
  }
}

/** The share of empty registers, weighed; infinite where all are. */
function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY;
  let [power, weight, sum, before] = [share, 1, share, Number.NaN];
  while (sum !== before) {
    power *= power;
    before = sum;
    sum += power * weight;
    weight *= 2;
  }
  return sum;
}

/** The same for the share of registers that are not full. */
function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let [root, weight, sum, before] = [share, 1, 1 - share, Number.NaN];
  while (sum !== before) {
    root = Math.sqrt(root);
    before = sum;
    weight /= 2;
    sum -= (1 - root) ** 2 * weight;
  }
  return sum / 3;
}
