import { type MediaValue, readPart, sizeOfValue } from './media-value.ts';

/** Samples without coding in a WAV: where they lie and what they are. */
interface WavData {
  at: number;
  sizeBytes: number;
  channels: number;
  bits: number;
  isFloat: boolean;
}

const maxChunks = 256;
/** So many places are listened to in all, each for a twentieth of a second. */
const maxPlaces = 2048;
const heardFrames = 2_400;
const plainFormats: ReadonlySet<number> = new Set([1, 3, 0xfffe]);

/** Finds the samples of a WAV, also of one beyond 4 GB (RF64, EBU Tech 3306); null when they are coded or not there. */
async function findWavData(value: MediaValue): Promise<WavData | null> {
  const fileBytes = sizeOfValue(value);
  const read = async (at: number, length: number) => Buffer.from(await readPart(value, at, at + length));
  let dataBytes = 0;
  let format: Omit<WavData, 'at' | 'sizeBytes'> | null = null;
  for (let at = 12, chunks = 0; at + 8 <= fileBytes && chunks < maxChunks; chunks++) {
    const head = await read(at, 8);
    const id = head.toString('latin1', 0, 4);
    const size = head.readUInt32LE(4);
    if (id === 'ds64' && size >= 16) dataBytes = Number((await read(at + 8, 16)).readBigUInt64LE(8));
    if (id === 'fmt ' && size >= 16) {
      const body = await read(at + 8, Math.min(size, 40));
      const tag = body.readUInt16LE(0);
      const real = tag === 0xfffe && body.length >= 26 ? body.readUInt16LE(24) : tag;
      if (!plainFormats.has(tag) || (real !== 1 && real !== 3)) return null;
      format = { channels: body.readUInt16LE(2), bits: body.readUInt16LE(14), isFloat: real === 3 };
    }
    if (id === 'data') {
      const told = size === 0xffffffff && dataBytes > 0 ? dataBytes : size;
      return format && { ...format, at: at + 8, sizeBytes: Math.min(told, fileBytes - at - 8) };
    }
    at += 8 + size + (size & 1);
  }
  return null;
}

function sampleReader({ bits, isFloat }: WavData): ((bytes: Buffer, at: number) => number) | null {
  switch (`${isFloat ? 'float' : 'int'}${bits}`) {
    case 'int8':
      return (bytes, at) => ((bytes[at] as number) - 128) / 128;
    case 'int16':
      return (bytes, at) => bytes.readInt16LE(at) / 32768;
    case 'int24':
      return (bytes, at) => bytes.readIntLE(at, 3) / 8388608;
    case 'int32':
      return (bytes, at) => bytes.readInt32LE(at) / 2147483648;
    case 'float32':
      return (bytes, at) => bytes.readFloatLE(at);
    case 'float64':
      return (bytes, at) => bytes.readDoubleLE(at);
    default:
      return null;
  }
}

/** The loudest sample of each of `count` slices of a WAV, listened to at several places; null where it is coded. */
export async function hearWavParts(value: MediaValue, count: number): Promise<number[] | null> {
  const data = await findWavData(value);
  const read = data && sampleReader(data);
  if (!data || !read || data.channels < 1 || data.sizeBytes === 0) return null;
  const sampleBytes = data.bits / 8;
  const frameBytes = data.channels * sampleBytes;
  const frames = Math.floor(data.sizeBytes / frameBytes);
  const places = Math.max(1, Math.min(16, Math.floor(maxPlaces / count)));
  const peaks: number[] = new Array(count).fill(0);
  for (let place = 0; place < count * places; place++) {
    const from = Math.floor((place * frames) / (count * places));
    const to = Math.min(frames, from + heardFrames);
    const bytes = Buffer.from(await readPart(value, data.at + from * frameBytes, data.at + to * frameBytes));
    const slice = Math.floor(place / places);
    peaks[slice] = Math.min(1, Math.max(peaks[slice] ?? 0, loudestIn(bytes, sampleBytes, read)));
  }
  return peaks;
}

function loudestIn(bytes: Buffer, sampleBytes: number, read: (bytes: Buffer, at: number) => number): number {
  let peak = 0;
  for (let at = 0; at + sampleBytes <= bytes.length; at += sampleBytes) {
    const loudness = Math.abs(read(bytes, at));
    if (loudness > peak) peak = loudness;
  }
  return peak;
}
