import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { blobKindOf, sniffMediaType } from './media-type.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const iso = (major: string, ...compatible: string[]): Buffer => {
  const box = latin(`\0\0\0\0ftyp${major}\0\0\0\0${compatible.join('')}`);
  box.writeUInt32BE(box.length, 0);
  return Buffer.concat([box, Buffer.alloc(64)]);
};
const icon = Buffer.from([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 4, 0, 0, 22, 0, 0, 0]);

describe('media types from bytes', () => {
  it.each(['png', 'jpeg', 'gif', 'webp', 'tiff'] as const)('%s as sharp writes it', async (format) => {
    const bytes = await sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } })
      .toFormat(format)
      .toBuffer();
    expect(sniffMediaType(bytes)).toBe(`image/${format}`);
  });

  it.each<[string, Buffer]>([
    ['image/avif', iso('avif', 'avif', 'mif1')],
    ['image/avif', iso('mif1', 'avif')],
    ['image/heic', iso('heic', 'mif1')],
    ['video/mp4', iso('isom', 'iso2', 'mp41')],
    ['video/quicktime', iso('qt  ')],
    ['audio/mp4', iso('M4A ')],
    [
      'video/webm',
      Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), latin('\x9fB\x86\x81\x01B\x82\x84webm')]),
    ],
    ['audio/ogg', latin('OggS\0\x02                    \x01vorbis')],
    ['audio/ogg', latin('OggS\0\x02                    OpusHead')],
    ['audio/mpeg', latin('ID3\x04\0')],
    ['audio/mpeg', Buffer.from([0xff, 0xfb, 0x90, 0x64, 0, 0])],
    ['audio/aac', Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0])],
    ['audio/flac', latin('fLaC\0\0\0\x22')],
    ['audio/wav', latin('RIFF\x24\0\0\0WAVEfmt ')],
    [
      'image/bmp',
      Buffer.concat([latin('BM'), Buffer.alloc(12), Buffer.from([40, 0, 0, 0]), Buffer.alloc(36)]),
    ],
    ['image/x-icon', icon],
    [
      'image/svg+xml',
      Buffer.from('<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['text/html', Buffer.from('  <!DOCTYPE html><title>x</title>')],
    ['text/html', Buffer.from('<script>alert(1)</script>')],
    ['application/json', Buffer.from('{"a": [1, 2]}')],
    ['application/xml', Buffer.from('<?xml version="1.0"?><root/>')],
    ['application/pdf', latin('%PDF-1.7\n')],
    ['text/plain', Buffer.from('BM is how this ordinary sentence begins – with umlauts: äöü')],
    ['text/plain', Buffer.from('{not json}')],
    ['application/octet-stream', Buffer.from([0, 1, 2, 3, 250, 251])],
    ['application/octet-stream', Buffer.alloc(0)],
  ])('%s', (type, bytes) => {
    expect(sniffMediaType(bytes)).toBe(type);
  });

  it('long text that is cut within a character is text', () => {
    expect(sniffMediaType(Buffer.from(`x${'ä'.repeat(4000)}`).subarray(0, 4100))).toBe('text/plain');
  });

  it('long JSON is known by its start', () => {
    expect(sniffMediaType(Buffer.from(readFileSync('package-lock.json')).subarray(0, 4100))).toBe(
      'application/json',
    );
  });
});

it('kinds of cells', () => {
  expect(
    [
      'image/png',
      'video/mp4',
      'audio/wav',
      'text/plain',
      'application/json',
      'application/pdf',
      'application/zip',
      null,
    ].map(blobKindOf),
  ).toEqual(['image', 'video', 'audio', 'text', 'text', 'pdf', 'other', 'other']);
});
