const frameMagic = 0x184d2204;
const minMatch = 4;
/** A byte of a length stands for at most 255 bytes. */
const maxRatio = 256;

const broken = (why: string): Error => new Error(`The LZ4 data is damaged: ${why}.`);

/** Decodes one block into `out` from `at`; matches may reach back into what earlier blocks wrote. Returns the end. */
function decodeBlock(block: Uint8Array, out: Uint8Array, start: number): number {
  let from = 0;
  let to = start;
  const readLength = (initial: number): number => {
    let length = initial;
    if (initial !== 15) return length;
    for (;;) {
      const more = block[from++];
      if (more === undefined) throw broken('a length is cut off');
      length += more;
      if (more !== 255) return length;
    }
  };
  while (from < block.length) {
    const token = block[from++]!;
    const literals = readLength(token >> 4);
    if (from + literals > block.length || to + literals > out.length) throw broken('a block is too long');
    out.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from >= block.length) break;
    const distance = block[from]! | (block[from + 1]! << 8);
    from += 2;
    const length = readLength(token & 15) + minMatch;
    if (distance === 0 || distance > to || to + length > out.length) throw broken('a match leaves its frame');
    if (distance >= length) out.copyWithin(to, to - distance, to - distance + length);
    else for (let index = 0; index < length; index += 1) out[to + index] = out[to + index - distance]!;
    to += length;
  }
  return to;
}

/**
 * Unpacks an LZ4 frame of known size. Format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md; checksums
 * are skipped.
 */
export function unpackLz4Frame(frame: Uint8Array, size: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (size > frame.length * maxRatio) throw broken('it says that it holds more than it can');
  const out = new Uint8Array(size);
  if (frame.length < 7 || view.getUint32(0, true) !== frameMagic) throw broken('it has no frame');
  const flags = frame[4]!;
  const hasBlockChecksum = (flags & 0x10) !== 0;
  const hasSize = (flags & 0x08) !== 0;
  const hasDictionary = (flags & 0x01) !== 0;
  let from = 6 + (hasSize ? 8 : 0) + (hasDictionary ? 4 : 0) + 1;
  let to = 0;
  for (;;) {
    if (from + 4 > frame.length) throw broken('it ends within the frame');
    const head = view.getUint32(from, true);
    from += 4;
    if (head === 0) break;
    const length = head & 0x7fff_ffff;
    if (from + length > frame.length) throw broken('it ends within a block');
    const block = frame.subarray(from, from + length);
    if (head >>> 31 === 1) {
      if (to + length > size) throw broken('a block is too long');
      out.set(block, to);
      to += length;
    } else {
      to = decodeBlock(block, out, to);
    }
    from += length + (hasBlockChecksum ? 4 : 0);
  }
  if (to !== size) throw broken(`it holds ${to} bytes instead of ${size}`);
  return out;
}
