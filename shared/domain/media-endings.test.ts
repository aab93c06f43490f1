import { expect, test } from 'vitest';
import { kindOfEnding } from './media-endings.ts';

test('endings say what a path or an address names, whatever stands behind it', () => {
  expect(
    [
      'a/B.JPG',
      'https://x.org/c.mp4?size=2#t=1',
      'd.flac',
      'e.pdf',
      'f.jsonl',
      'jpg',
      'g.parquet',
      '',
      'h.ply',
      'i.GLB?v=1',
    ].map(kindOfEnding),
  ).toEqual(['image', 'video', 'audio', 'pdf', 'text', null, null, null, 'model', 'model']);
});
