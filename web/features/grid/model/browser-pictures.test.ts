import { expect, test } from 'vitest';
import { isShownByBrowsers } from './browser-pictures.ts';
import { thumbSizeFor } from './media-address.ts';

test('pictures that browsers know are shown by their own bytes, others as the server decodes them', () => {
  const shown = ['image/png', 'image/bmp', 'image/x-icon', 'image/heic', 'image/tiff', 'image/x-exr', null];
  expect(shown.map((contentType) => isShownByBrowsers({ contentType }))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    true,
  ]);
  expect(isShownByBrowsers(null)).toBe(true);
});

test('only who asks for more than 2,048 pixels gets the largest picture', () => {
  expect([thumbSizeFor(2048, 1), thumbSizeFor(1536, 2), thumbSizeFor(4096, 1)]).toEqual([2048, 2048, 4096]);
});
