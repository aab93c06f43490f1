import { expect, test } from 'vitest';
import { downloadOfThumb } from './media-reason.ts';

test('the download of a thumb is its bytes at the same version, under a name of its own', () => {
  expect(downloadOfThumb('/api/v1/tables/a/thumbs/thumbs/7?ref=main%3A3&of=x&size=256&page=3')).toBe(
    '/api/v1/tables/a/blobs/thumbs/7?ref=main%3A3&of=x&download=thumbs-7',
  );
});
