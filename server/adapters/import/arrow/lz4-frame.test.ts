import { describe, expect, it } from 'vitest';
import { unpackLz4Frame } from './lz4-frame.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** Magic, flags (version 1, independent blocks), 4 MB blocks, header checksum (not looked at). */
const head = '04224d18 60 70 00';
const end = '00000000';

describe('unpackLz4Frame', () => {
  it('unpacks literals, and matches that overlap what they copy', () => {
    const block = '1a 61 0100 50 62 62 62 62 62';
    expect(Buffer.from(unpackLz4Frame(hex(`${head} 0a000000 ${block} ${end}`), 20)).toString()).toBe(
      `${'a'.repeat(15)}bbbbb`,
    );
  });

  it('takes blocks that are stored as they are', () => {
    expect(Buffer.from(unpackLz4Frame(hex(`${head} 03000080 616263 ${end}`), 3)).toString()).toBe('abc');
  });

  it.each([
    ['no frame', '0000000000000000', 1],
    ['a block that is cut off', `${head} 0a000000 1a61`, 15],
    ['a match before the start', `${head} 06000000 10 61 0900 00 00 ${end}`, 40],
    ['another size than was said', `${head} 03000080 616263 ${end}`, 4],
    ['more than was said', `${head} 03000080 616263 ${end}`, 2],
  ])('refuses %s', (_name, frame, size) => {
    expect(() => unpackLz4Frame(hex(frame), size)).toThrow('damaged');
  });
});
