/** Takes `wanted` of `total` things, evenly over their order. */
export class EvenSample {
  readonly size: number;
  readonly #total: number;
  #taken = 0;
  #next = 0;

  constructor(total: number, wanted: number) {
    this.#total = total;
    this.size = Math.min(total, Math.max(0, wanted));
    if (this.size === 0) this.#next = Number.POSITIVE_INFINITY;
  }

  /** To be asked for each index in its order. */
  takes(index: number): boolean {
    if (index < this.#next) return false;
    this.#taken += 1;
    this.#next =
      this.#taken < this.size
        ? Math.floor((this.#taken * this.#total) / this.size)
        : Number.POSITIVE_INFINITY;
    return true;
  }
}
