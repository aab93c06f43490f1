const space = 32;
const zero = 48;
const nine = 57;
const powers = Float64Array.from({ length: 23 }, (_none, at) => 10 ** at);

/** Reads words and numbers of ASCII bytes one after the other, without making a text of the whole. */
export class TextTokens {
  #bytes: Uint8Array;
  #at: number;
  #end: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get at(): number {
    return this.#at;
  }

  /** The next number; undefined at the end, NaN for a word that is none. */
  number(): number | undefined {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    while (at < end && bytes[at]! <= space) at++;
    if (at >= end) {
      this.#at = at;
      return undefined;
    }
    const start = at;
    let sign = 1;
    if (bytes[at] === 45) {
      sign = -1;
      at++;
    } else if (bytes[at] === 43) at++;
    let digits = 0;
    let value = 0;
    let scale = 0;
    for (; at < end; at++, digits++) {
      const byte = bytes[at]!;
      if (byte < zero || byte > nine) break;
      value = value * 10 + (byte - zero);
    }
    if (bytes[at] === 46 && at < end) {
      at++;
      for (; at < end; at++, digits++, scale++) {
        const byte = bytes[at]!;
        if (byte < zero || byte > nine) break;
        value = value * 10 + (byte - zero);
      }
    }
    if (digits > 0 && digits <= 15 && (at >= end || bytes[at]! <= space)) {
      this.#at = at;
      return (sign * value) / powers[scale]!;
    }
    return this.#slowNumber(start);
  }

  /** Exponents, many digits, `nan` and `inf`. */
  #slowNumber(start: number): number {
    const text = this.#wordFrom(start);
    if (/^[-+]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
    return text === '' ? Number.NaN : Number(text);
  }

  #wordFrom(start: number): string {
    let at = start;
    while (at < this.#end && this.#bytes[at]! > space) at++;
    this.#at = at;
    return latinText(this.#bytes, start, Math.min(at, start + 400));
  }
}

/** Bytes as text, one sign each. */
export function latinText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < Math.min(end, bytes.length); at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(at + 4096, end)));
  return text;
}
