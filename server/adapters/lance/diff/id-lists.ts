/** Rows of both sides, one by one the same. */
export interface IdPairs {
  baseIds: Float64Array;
  sideIds: Float64Array;
}

export const emptyPairs = (): IdPairs => ({ baseIds: new Float64Array(0), sideIds: new Float64Array(0) });

/** Collects pairs, at most as many as said. */
export class Pairs {
  #baseIds: Float64Array;
  #sideIds: Float64Array;
  #count = 0;

  constructor(most: number) {
    this.#baseIds = new Float64Array(most);
    this.#sideIds = new Float64Array(most);
  }

  add(baseId: number, sideId: number): void {
    this.#baseIds[this.#count] = baseId;
    this.#sideIds[this.#count] = sideId;
    this.#count += 1;
  }

  rows(): IdPairs {
    return { baseIds: this.#baseIds.slice(0, this.#count), sideIds: this.#sideIds.slice(0, this.#count) };
  }
}

export function joinIds(parts: readonly Float64Array[]): Float64Array {
  const filled = parts.filter(({ length }) => length > 0);
  if (filled.length === 1) return filled[0]!;
  const whole = new Float64Array(filled.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of filled) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Where the flags are 1, ascending. */
export function flagged(flags: Uint8Array, wanted = 1): Int32Array {
  const rows = new Int32Array(flags.length);
  let count = 0;
  for (let row = 0; row < flags.length; row++) if (flags[row] === wanted) rows[count++] = row;
  return rows.subarray(0, count);
}

export function pickIds(ids: Float64Array, rows: Int32Array): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) picked[at] = ids[rows[at]!]!;
  return picked;
}
