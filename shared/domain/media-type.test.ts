import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectMediaType } from './media-type.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

const cases: [string, string, string][] = [
  ['jpeg', '\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg'],
  ['png', '\x89PNG\r\n\x1a\n\0\0', 'image/png'],
  ['webp', 'RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
  ['avif', '\0\0\0\x1cftypavif\0\0\0\0avifmif1', 'image/avif'],
  ['avif under a generic brand', '\0\0\0\x1cftypmif1\0\0\0\0mif1avif', 'image/avif'],
  ['bmp', `BM\x36\0\x0c\0\0\0\0\0\x36\0\0\0\x28\0\0\0`, 'image/bmp'],
  [
    'svg',
    '<?xml version="1.0"?>\n<!-- a drawing -->\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    'image/svg+xml',
  ],
  ['mp4', '\0\0\0\x20ftypisom\0\0\x02\0isomiso2', 'video/mp4'],
  ['m4a', '\0\0\0\x20ftypM4A \0\0\x02\0', 'audio/mp4'],
  ['quicktime', '\0\0\0\x14ftypqt  \0\0\x02\0', 'video/quicktime'],
  ['webm', '\x1a\x45\xdf\xa3\x01\0\0\0\x42\x82\x84webmV_VP9', 'video/webm'],
  ['webm with sound only', '\x1a\x45\xdf\xa3\x01\0\0\0\x42\x82\x84webmA_OPUS', 'audio/webm'],
  ['matroska', '\x1a\x45\xdf\xa3\x01\0\0\0\x42\x82\x88matroska', 'video/x-matroska'],
  ['ogg sound', 'OggS\0\x02\0\0\0\0\0\0\0\0\x01vorbis', 'audio/ogg'],
  ['ogg picture', 'OggS\0\x02\0\0\0\0\0\0\0\0\x80theora', 'video/ogg'],
  ['wav', 'RIFF\x24\0\0\0WAVEfmt ', 'audio/wav'],
  ['mp3 with tags', 'ID3\x04\0\0\0\0', 'audio/mpeg'],
  ['mp3 without tags', '\xff\xfb\x90\x64\0\0', 'audio/mpeg'],
  ['aac', '\xff\xf1\x50\x80\0\0', 'audio/aac'],
  ['pdf', '%PDF-1.7\n', 'application/pdf'],
  ['parquet', 'PAR1\x15\x04', 'application/vnd.apache.parquet'],
  ['html, as text', '<!doctype html><script>alert(1)</script>', 'text/plain; charset=utf-8'],
  ['text', 'bonjour', 'text/plain; charset=utf-8'],
  ['noise', '\x01\x02\x03\x04\x05\x06', 'application/octet-stream'],
  ['nothing', '', 'application/octet-stream'],
];

describe('detectMediaType', () => {
  it.each(cases)('knows %s', (_name, head, contentType) => {
    expect(detectMediaType(bytes(head)).contentType).toBe(contentType);
  });

  it('takes a text that is cut within a character', () => {
    expect(detectMediaType(new TextEncoder().encode('grün').subarray(0, 3)).kind).toBe('text');
  });

  it('takes any bytes, and never answers with a type that a browser would run', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (head) => {
        const { contentType } = detectMediaType(head);
        expect(contentType).toMatch(/^(image|video|audio|text|application)\/[a-z0-9.+-]+(; charset=utf-8)?$/);
        expect(contentType).not.toMatch(/html|javascript/);
      }),
    );
  });
});
