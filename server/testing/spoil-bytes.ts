/** Numbers that look random and are the same in every run (mulberry32). */
export function createDice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** A file as it may arrive: cut off, with bytes changed, with numbers made large, or with a part missing. */
export function spoilBytes(whole: Uint8Array, dice: (sides: number) => number): Uint8Array {
  const bytes = Buffer.from(whole);
  switch (dice(4)) {
    case 0:
      return bytes.subarray(0, dice(bytes.length));
    case 1:
      for (let count = 1 + dice(8); count > 0; count--) bytes[dice(bytes.length)] = dice(256);
      return bytes;
    case 2: {
      const from = dice(bytes.length);
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + dice(40))]);
    }
    default: {
      // Most numbers of headers are near the beginning.
      const at = dice(Math.min(bytes.length, 400));
      bytes.fill(dice(2) === 0 ? 0xff : 0, at, Math.min(bytes.length, at + 1 + dice(4)));
      return bytes;
    }
  }
}
