const maxBlocks = 8192;

/**
 * The loudness of a sound over time, of which only so much is kept as a drawing needs: blocks of samples, which double
 * in length when there are too many.
 */
export class PeakMeter {
  #blocks: number[] = [];
  #blockLength = 1;
  /** Of the last block, when it is not full yet. */
  #filled = 0;
  #length = 0;

  /** Samples of every channel so far. */
  get length(): number {
    return this.#length;
  }

  /** Adds the next samples, of −1 to 1, one array per channel. */
  add(channels: readonly Float32Array[]): void {
    const count = channels[0]?.length ?? 0;
    for (let from = 0; from < count; ) {
      if (this.#filled === 0) this.#begin();
      const take = Math.min(this.#blockLength - this.#filled, count - from);
      const last = this.#blocks.length - 1;
      this.#blocks[last] = Math.max(this.#blocks[last] ?? 0, peakOf(channels, from, from + take));
      this.#filled = (this.#filled + take) % this.#blockLength;
      from += take;
    }
    this.#length += count;
  }

  /** The loudest sample per slice of time, over all channels, 0 to 1. */
  peaks(slices: number): number[] {
    const blocks = this.#blocks;
    return Array.from({ length: slices }, (_none, slice) => {
      const from = Math.floor((slice * blocks.length) / slices);
      const to = Math.max(from + 1, Math.floor(((slice + 1) * blocks.length) / slices));
      return Math.min(1, Math.max(0, ...blocks.slice(from, to)));
    });
  }

  #begin(): void {
    if (this.#blocks.length === maxBlocks) {
      this.#blocks = Array.from({ length: maxBlocks / 2 }, (_none, pair) =>
        Math.max(this.#blocks[pair * 2] ?? 0, this.#blocks[pair * 2 + 1] ?? 0),
      );
      this.#blockLength *= 2;
    }
    this.#blocks.push(0);
  }
}

/** The loudest sample, over all channels. */
export const loudest = (channels: readonly Float32Array[]): number =>
  peakOf(channels, 0, channels[0]?.length ?? 0);

function peakOf(channels: readonly Float32Array[], from: number, to: number): number {
  let peak = 0;
  for (const channel of channels) {
    for (let at = from; at < to; at += 1) {
      const loudness = Math.abs(channel[at] as number);
      if (loudness > peak) peak = loudness;
    }
  }
  return peak;
}
