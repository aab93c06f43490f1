const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;

const primes: number[] = [];
for (let candidate = 2; primes.length < 64; candidate++)
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
const roundWords = primes.map((prime) => fraction(Math.cbrt(prime)));
const startWords = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function pad(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  return view;
}

function mixBlock(hash: Int32Array, block: DataView, offset: number): void {
  const words = new Int32Array(64);
  for (let at = 0; at < 16; at++) words[at] = block.getInt32(offset + at * 4);
  for (let at = 16; at < 64; at++) {
    const [w15, w2] = [words[at - 15]!, words[at - 2]!];
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    words[at] = words[at - 16]! + s0 + words[at - 7]! + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let at = 0; at < 64; at++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + roundWords[at]! + words[at]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) hash[at] = hash[at]! + word;
}

/**
 * SHA-256 (FIPS 180-4) of a text as UTF-8, in hexadecimal: for digests that server and page must agree on at once, where
 * the browser has none that is synchronous.
 */
export function sha256(text: string): string {
  const block = pad(new TextEncoder().encode(text));
  const hash = Int32Array.from(startWords);
  for (let offset = 0; offset < block.byteLength; offset += 64) mixBlock(hash, block, offset);
  return [...hash].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
