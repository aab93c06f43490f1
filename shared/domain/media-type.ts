import type { BlobCell } from './columns.ts';

export interface MediaType {
  kind: BlobCell['kind'];
  contentType: string;
}

/** Bytes at the start of a file that {@link detectMediaType} looks at. */
export const mediaHeadBytes = 4096;

const unknownType: MediaType = { kind: 'other', contentType: 'application/octet-stream' };

const image = (subtype: string): MediaType => ({ kind: 'image', contentType: `image/${subtype}` });
const video = (subtype: string): MediaType => ({ kind: 'video', contentType: `video/${subtype}` });
const audio = (subtype: string): MediaType => ({ kind: 'audio', contentType: `audio/${subtype}` });
const other = (subtype: string): MediaType => ({ kind: 'other', contentType: `application/${subtype}` });

const latin1 = (head: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...head.subarray(start, end));

/** Signatures at the very start. `\0` and friends are bytes. */
const signatures: readonly [string, MediaType][] = [
  ['\xff\xd8\xff', image('jpeg')],
  ['\x89PNG\r\n\x1a\n', image('png')],
  ['GIF87a', image('gif')],
  ['GIF89a', image('gif')],
  ['II*\0', image('tiff')],
  ['MM\0*', image('tiff')],
  ['II+\0', image('tiff')],
  ['MM\0+', image('tiff')],
  ['\0\0\x01\0', image('x-icon')],
  ['\xff\x0a', image('jxl')],
  ['\0\0\0\x0cJXL \r\n\x87\n', image('jxl')],
  ['\0\0\0\x0cjP  \r\n\x87\n', image('jp2')],
  ['\xff\x4f\xff\x51', image('j2c')],
  ['8BPS\0\x01', image('vnd.adobe.photoshop')],
  ['v/1\x01', image('x-exr')],
  ['#?RADIANCE', image('vnd.radiance')],
  ['DDS ', image('vnd-ms.dds')],
  ['fLaC', audio('flac')],
  ['ID3', audio('mpeg')],
  ['MThd', audio('midi')],
  ['#!AMR', audio('amr')],
  ['caff\0\x01', audio('x-caf')],
  ['.snd', audio('basic')],
  ['wvpk', audio('x-wavpack')],
  ['MAC ', audio('x-ape')],
  ['FLV\x01', video('x-flv')],
  ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', video('x-ms-asf')],
  ['\0\0\x01\xba', video('mpeg')],
  ['\0\0\x01\xb3', video('mpeg')],
  ['%PDF-', { kind: 'pdf', contentType: 'application/pdf' }],
  ['PK\x03\x04', other('zip')],
  ['\x1f\x8b', other('gzip')],
  ['\x28\xb5\x2f\xfd', other('zstd')],
  ['7z\xbc\xaf\x27\x1c', other('x-7z-compressed')],
  ['PAR1', other('vnd.apache.parquet')],
  ['ARROW1', other('vnd.apache.arrow.file')],
];

const fileBrands: Record<string, MediaType> = {
  avif: image('avif'),
  avis: image('avif'),
  heic: image('heic'),
  heix: image('heic'),
  hevc: image('heic-sequence'),
  mif1: image('heif'),
  msf1: image('heif-sequence'),
  crx: image('x-canon-cr3'),
  'M4A ': audio('mp4'),
  'M4B ': audio('mp4'),
  'M4P ': audio('mp4'),
  'F4A ': audio('mp4'),
  'qt  ': video('quicktime'),
};

/** ISO base media files (MP4, MOV, AVIF, HEIC, …) say what they are in the brands of their first box. */
function fromFileBrand(head: Uint8Array): MediaType | null {
  const box = latin1(head, 4, 8);
  if (box === 'moov' || box === 'mdat' || box === 'wide' || box === 'free') return video('quicktime');
  if (box !== 'ftyp') return null;
  const major = latin1(head, 8, 12);
  const compatible = latin1(head, 16, Math.min(head.length, 64));
  if (major === 'mif1' && compatible.includes('avif')) return image('avif');
  if (major === 'mif1' && compatible.includes('heic')) return image('heic');
  if (major.startsWith('3g')) return video('3gpp');
  return fileBrands[major] ?? fileBrands[major.trim()] ?? video('mp4');
}

function fromContainer(head: Uint8Array): MediaType | null {
  const four = latin1(head, 0, 4);
  const form = latin1(head, 8, 12);
  if (four === 'RIFF' || four === 'RIFX') {
    if (form === 'WEBP') return image('webp');
    if (form === 'WAVE') return audio('wav');
    if (form === 'AVI ') return video('x-msvideo');
    return null;
  }
  if (four === 'RF64' && form === 'WAVE') return audio('wav');
  if (four === 'FORM' && (form === 'AIFF' || form === 'AIFC')) return audio('aiff');
  if (four === 'OggS') {
    const pages = latin1(head, 0, Math.min(head.length, 512));
    return pages.includes('theora') || pages.includes('OVP80') ? video('ogg') : audio('ogg');
  }
  if (four === '\x1a\x45\xdf\xa3') {
    const start = latin1(head, 0, head.length);
    if (!start.includes('webm')) return video('x-matroska');
    return start.includes('A_OPUS') || start.includes('A_VORBIS')
      ? start.includes('V_')
        ? video('webm')
        : audio('webm')
      : video('webm');
  }
  if (four.startsWith('BM') && head.length >= 18 && head[15] === 0 && head[6] === 0 && head[7] === 0)
    return image('bmp');
  return null;
}

/** Frames that begin with sync bits and have no other signature: transport streams, ADTS and MPEG audio. */
function fromSync(head: Uint8Array): MediaType | null {
  const [first = 0, second = 0, third = 0] = head;
  if (first === 0x47 && head[188] === 0x47 && (head.length < 377 || head[376] === 0x47)) return video('mp2t');
  if (first !== 0xff) return null;
  if ((second & 0xf6) === 0xf0) return audio('aac');
  const isMpegAudio = (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08 && (second & 0x06) !== 0;
  const hasRate = (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c;
  return isMpegAudio && hasRate ? audio('mpeg') : null;
}

const isControl = (byte: number): boolean => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b;

function decodeText(head: Uint8Array): string | null {
  if (head.some(isControl)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}

/** Text is never served as HTML, whatever it says that it is. */
function fromText(head: Uint8Array): MediaType | null {
  const text = decodeText(head);
  if (text === null || text === '') return null;
  if (/^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i.test(text))
    return image('svg+xml');
  return { kind: 'text', contentType: 'text/plain; charset=utf-8' };
}

/**
 * What a file is by the bytes at its start ({@link mediaHeadBytes} are enough), never by its name. A broken file keeps
 * the type that its first bytes claim; bytes that say nothing are `application/octet-stream`.
 */
export function detectMediaType(head: Uint8Array): MediaType {
  if (head.length === 0) return unknownType;
  const start = latin1(head, 0, 16);
  const signed = signatures.find(([signature]) => start.startsWith(signature));
  return (
    signed?.[1] ??
    fromFileBrand(head) ??
    fromContainer(head) ??
    fromSync(head) ??
    fromText(head) ??
    unknownType
  );
}
