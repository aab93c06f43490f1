import { Buffer } from 'node:buffer';
import type { BlobCell } from '#shared/domain/columns.ts';
import { sniffBinaryModel, sniffTextModel } from './model-type.ts';

/** Bytes that are enough for {@link sniffMediaType}. */
export const sniffBytes = 4100;

const startsWith = (bytes: Buffer, marks: string | readonly number[], at = 0): boolean => {
  const wanted = typeof marks === 'string' ? Buffer.from(marks, 'latin1') : marks;
  if (bytes.length < at + wanted.length) return false;
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
};

/** Brands of ISO base media files (`ftyp`). */
const brands: Record<string, string> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  heim: 'image/heic',
  heis: 'image/heic',
  hevc: 'image/heic',
  hevx: 'image/heic',
  mif1: 'image/heif',
  msf1: 'image/heif',
  'qt  ': 'video/quicktime',
  'M4A ': 'audio/mp4',
  'M4B ': 'audio/mp4',
  'M4P ': 'audio/mp4',
  'M4V ': 'video/mp4',
  crx_: 'image/x-canon-cr3',
};

function sniffIsoMedia(bytes: Buffer): string | null {
  if (!startsWith(bytes, 'ftyp', 4)) {
    return ['moov', 'mdat', 'wide', 'free', 'skip'].some((box) => startsWith(bytes, box, 4))
      ? 'video/quicktime'
      : null;
  }
  const size = Math.min(bytes.readUInt32BE(0), bytes.length);
  const major = bytes.toString('latin1', 8, 12);
  const compatible = Array.from({ length: Math.max(0, (size - 16) >> 2) }, (_, i) =>
    bytes.toString('latin1', 16 + i * 4, 20 + i * 4),
  );
  if (major === 'mif1' || major === 'msf1')
    return compatible.includes('avif')
      ? 'image/avif'
      : compatible.includes('heic')
        ? 'image/heic'
        : 'image/heif';
  return brands[major] ?? (major.startsWith('3g') ? 'video/3gpp' : 'video/mp4');
}

function sniffOgg(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 512);
  if (head.includes('theora') || head.includes('OVP80')) return 'video/ogg';
  return 'audio/ogg';
}

function sniffMatroska(bytes: Buffer): string {
  return bytes.toString('latin1', 0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska';
}

/** A frame header of MPEG audio (layer I to III) or of AAC in ADTS, with no reserved value. */
function sniffAudioFrame(bytes: Buffer): string | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || (bytes[1]! & 0xe0) !== 0xe0) return null;
  if ((bytes[1]! & 0xf6) === 0xf0) return ((bytes[2]! >> 2) & 0xf) < 13 ? 'audio/aac' : null;
  const layer = (bytes[1]! >> 1) & 3;
  const version = (bytes[1]! >> 3) & 3;
  const bitrate = bytes[2]! >> 4;
  const rate = (bytes[2]! >> 2) & 3;
  return layer !== 0 && version !== 1 && bitrate !== 15 && bitrate !== 0 && rate !== 3 ? 'audio/mpeg' : null;
}

const byMark: readonly (readonly [marks: string | readonly number[], at: number, type: string])[] = [
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 0, 'image/png'],
  [[0xff, 0xd8, 0xff], 0, 'image/jpeg'],
  ['GIF87a', 0, 'image/gif'],
  ['GIF89a', 0, 'image/gif'],
  [[0x49, 0x49, 0x2a, 0], 0, 'image/tiff'],
  [[0x4d, 0x4d, 0, 0x2a], 0, 'image/tiff'],
  [[0x49, 0x49, 0x2b, 0], 0, 'image/tiff'],
  [[0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20], 0, 'image/jxl'],
  [[0xff, 0x0a], 0, 'image/jxl'],
  [[0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20], 0, 'image/jp2'],
  [[0xff, 0x4f, 0xff, 0x51], 0, 'image/jp2'],
  [[0x76, 0x2f, 0x31, 0x01], 0, 'image/x-exr'],
  ['#?RADIANCE', 0, 'image/vnd.radiance'],
  ['#?RGBE', 0, 'image/vnd.radiance'],
  ['8BPS', 0, 'image/vnd.adobe.photoshop'],
  ['%PDF-', 0, 'application/pdf'],
  ['fLaC', 0, 'audio/flac'],
  ['ID3', 0, 'audio/mpeg'],
  ['MThd', 0, 'audio/midi'],
  ['.snd', 0, 'audio/basic'],
  ['caff', 0, 'audio/x-caf'],
  [[0x1f, 0x8b], 0, 'application/gzip'],
  [[0x50, 0x4b, 3, 4], 0, 'application/zip'],
  [[0x28, 0xb5, 0x2f, 0xfd], 0, 'application/zstd'],
  ['PAR1', 0, 'application/vnd.apache.parquet'],
  ['ARROW1', 0, 'application/vnd.apache.arrow.file'],
  [[0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59], 0, 'application/x-npy'],
  ['glTF', 0, 'model/gltf-binary'],
  ['FLV', 0, 'video/x-flv'],
  [[0, 0, 1, 0xba], 0, 'video/mpeg'],
  [[0, 0, 1, 0xb3], 0, 'video/mpeg'],
];

/** Small marks that text could begin with too: taken only when more of the header fits. */
function sniffWeakMark(bytes: Buffer): string | null {
  if (
    startsWith(bytes, 'BM') &&
    bytes.length >= 26 &&
    bytes.readUInt32LE(14) >= 12 &&
    bytes.readUInt32LE(14) <= 124
  )
    return 'image/bmp';
  const isIcon = startsWith(bytes, [0, 0, 1, 0]) || startsWith(bytes, [0, 0, 2, 0]);
  if (isIcon && bytes.length >= 22 && bytes[4] !== 0 && bytes[9] === 0) return 'image/x-icon';
  if (startsWith(bytes, 'qoif') && (bytes[12] === 3 || bytes[12] === 4)) return 'image/qoi';
  if (
    /^P(?:[1-6]\s+(?:#[^\n]*\s+)*\d+\s+(?:#[^\n]*\s+)*\d+\s|7\n[\s\S]*ENDHDR\n|[Ff]\s+\d+\s+\d+\s+-?\d)/.test(
      bytes.toString('latin1', 0, 512),
    )
  )
    return 'image/x-portable-anymap';
  if (bytes[0] === 0x47 && bytes.length > 376 && bytes[188] === 0x47 && bytes[376] === 0x47)
    return 'video/mp2t';
  return null;
}

function sniffText(bytes: Buffer): string | null {
  const hasMark = startsWith(bytes, [0xef, 0xbb, 0xbf]);
  const head = bytes.subarray(hasMark ? 3 : 0, sniffBytes);
  if (head.length === 0) return hasMark ? 'text/plain' : null;
  for (const byte of head) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) return null;
  const text = new TextDecoder('utf-8', { fatal: false }).decode(head);
  const broken = text.indexOf('\ufffd');
  if (broken !== -1 && broken < text.length - 4) return null;
  const start = text.trimStart().slice(0, 1024);
  const markup = start
    .replace(/^<\?xml[^>]*\?>\s*/i, '')
    .replace(/^(<!--[\s\S]*?-->\s*)*/, '')
    .trimStart();
  if (/^<(!doctype\s+)?svg[\s>]/i.test(markup)) return 'image/svg+xml';
  if (
    /^<(!doctype html|html|head|body|script|iframe|title|table|div|h1|p|a|img|style|meta|br)[\s>/]/i.test(
      markup,
    )
  )
    return 'text/html';
  if (/^<\?xml\s/i.test(start)) return 'application/xml';
  const model = sniffTextModel(text);
  if (model) return model;
  if (/^[[{]/.test(start) && looksLikeJson(head.length < sniffBytes ? text : null, start))
    return 'application/json';
  return 'text/plain';
}

function looksLikeJson(whole: string | null, start: string): boolean {
  if (whole === null)
    return /^(\{\s*(\}|"(?:[^"\\]|\\.)*"\s*:)|\[\s*(\]|[[{"\d-]|true|false|null))/.test(start);
  try {
    JSON.parse(whole);
    return true;
  } catch {
    return false;
  }
}

/** The media type of a file from its first bytes (about 4 KB are enough), never from a name. */
export function sniffMediaType(head: Uint8Array): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, sniffBytes));
  if (startsWith(bytes, 'RIFF')) {
    if (startsWith(bytes, 'WEBP', 8)) return 'image/webp';
    if (startsWith(bytes, 'WAVE', 8)) return 'audio/wav';
    if (startsWith(bytes, 'AVI ', 8)) return 'video/x-msvideo';
  }
  if (startsWith(bytes, 'RF64') && startsWith(bytes, 'WAVE', 8)) return 'audio/wav';
  if (startsWith(bytes, 'FORM') && startsWith(bytes, 'AIF', 8)) return 'audio/aiff';
  if (startsWith(bytes, 'OggS')) return sniffOgg(bytes);
  if (startsWith(bytes, [0x1a, 0x45, 0xdf, 0xa3])) return sniffMatroska(bytes);
  for (const [marks, at, type] of byMark) if (startsWith(bytes, marks, at)) return type;
  const isoMedia = bytes.length >= 12 ? sniffIsoMedia(bytes) : null;
  return (
    isoMedia ??
    sniffAudioFrame(bytes) ??
    sniffWeakMark(bytes) ??
    sniffText(bytes) ??
    sniffBinaryModel(bytes) ??
    'application/octet-stream'
  );
}

/** Types whose bytes are text. */
export const isText = (contentType: string): boolean =>
  contentType.startsWith('text/') || contentType === 'application/json' || contentType === 'application/xml';

/** The kind of a blob cell by its media type. */
export function blobKindOf(contentType: string | null): BlobCell['kind'] {
  if (contentType === null) return 'other';
  if (contentType === 'application/pdf') return 'pdf';
  const group = contentType.split('/')[0];
  if (group === 'image' || group === 'video' || group === 'audio' || group === 'model') return group;
  return isText(contentType) ? 'text' : 'other';
}
