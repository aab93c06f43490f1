import { inflateSync } from 'node:zlib';
import { damaged } from './decoded-picture.ts';

/** A block of an OpenEXR file as it was before it was packed; blocks that would not get smaller are stored as they are. */
export function unpackBlock(packed: Buffer, compression: number, sizeBytes: number): Buffer {
  if (compression === 0 || packed.length >= sizeBytes) {
    if (packed.length < sizeBytes) throw damaged('its bytes end too early');
    return packed;
  }
  const unpacked = compression === 1 ? unpackRuns(packed, sizeBytes) : inflate(packed, sizeBytes);
  if (unpacked.length !== sizeBytes) throw damaged('a block of it has another size than it says');
  return joinHalves(addSteps(unpacked));
}

function inflate(packed: Buffer, sizeBytes: number): Buffer {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, sizeBytes) });
  } catch {
    throw damaged('a block of it cannot be unpacked');
  }
}

function unpackRuns(packed: Buffer, sizeBytes: number): Buffer {
  const out = Buffer.alloc(sizeBytes);
  let to = 0;
  for (let at = 0; at < packed.length; ) {
    const code = packed.readInt8(at);
    const count = code < 0 ? -code : code + 1;
    const taken = code < 0 ? count : 1;
    if (to + count > sizeBytes || at + 1 + taken > packed.length)
      throw damaged('a run of it leaves its block');
    if (code < 0) packed.copy(out, to, at + 1, at + 1 + count);
    else out.fill(packed[at + 1] as number, to, to + count);
    to += count;
    at += 1 + taken;
  }
  return out.subarray(0, to);
}

/** Each byte is the step from the one before. */
function addSteps(bytes: Buffer): Buffer {
  for (let at = 1; at < bytes.length; at++)
    bytes[at] = ((bytes[at - 1] as number) + (bytes[at] as number) - 128) & 255;
  return bytes;
}

/** The bytes at even places come first, then those at odd ones. */
function joinHalves(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length);
  const half = (bytes.length + 1) >> 1;
  for (let at = 0; at < bytes.length; at++)
    out[at] = bytes[at % 2 === 0 ? at >> 1 : half + (at >> 1)] as number;
  return out;
}
