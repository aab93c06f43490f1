import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { initSync, JxlImage } from 'jxl-oxide-wasm';
import { assertSize, type DecodedPicture, damaged } from './decoded-picture.ts';

/** It has floats of four channels in memory. */
const maxPixels = 50_000_000;

let loading: Promise<unknown> | null = null;

async function loadModule(): Promise<void> {
  loading ??= readFile(fileURLToPath(import.meta.resolve('jxl-oxide-wasm/module.wasm'))).then((module) =>
    initSync({ module }),
  );
  await loading;
}

/** JPEG XL: the first frame, in sRGB, as a PNG that keeps its depth. */
export async function decodeJpegXl(bytes: Buffer): Promise<DecodedPicture> {
  await loadModule();
  const image = new JxlImage();
  try {
    image.forceSrgb = true;
    image.feedBytes(bytes);
    if (!image.tryInit()) throw damaged('its bytes end too early');
    assertSize(image.width ?? 0, image.height ?? 0, maxPixels);
    const facts = [
      { name: 'format', value: 'jxl' },
      ...(image.animated ? [{ name: 'animation', value: 'the first frame is shown' }] : []),
    ];
    if (image.numLoadedKeyframes === 0 && !image.loaded) throw damaged('its bytes end too early');
    // Encoding uses the frame up: there is nothing left to free.
    return { kind: 'inner', bytes: image.render(0).encodeToPng(), facts };
  } finally {
    image.free();
  }
}
