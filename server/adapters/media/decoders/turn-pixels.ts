export interface Raster {
  /** RGBA. */
  data: Uint8Array;
  width: number;
  height: number;
}

const pixelsIn = (data: Uint8Array): Uint32Array =>
  new Uint32Array(data.buffer, data.byteOffset, data.byteLength >> 2);

function rearrange(
  { data, width, height }: Raster,
  size: { width: number; height: number },
  placeOf: (x: number, y: number) => number,
): Raster {
  const from = pixelsIn(data);
  const to = new Uint32Array(size.width * size.height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) to[placeOf(x, y)] = from[y * width + x] as number;
  return { data: new Uint8Array(to.buffer), ...size };
}

/** Turns a picture by so many quarters, clockwise. */
export function turnPixels(raster: Raster, quarters: number): Raster {
  const { width, height } = raster;
  switch (quarters & 3) {
    case 1:
      return rearrange(raster, { width: height, height: width }, (x, y) => x * height + (height - 1 - y));
    case 2:
      return rearrange(raster, { width, height }, (x, y) => (height - 1 - y) * width + (width - 1 - x));
    case 3:
      return rearrange(raster, { width: height, height: width }, (x, y) => (width - 1 - x) * height + y);
    default:
      return raster;
  }
}

/** Exchanges left and right, or above and below. */
export const mirrorPixels = (raster: Raster, isSideways: boolean): Raster => {
  const { width, height } = raster;
  return rearrange(raster, { width, height }, (x, y) =>
    isSideways ? y * width + (width - 1 - x) : (height - 1 - y) * width + x,
  );
};
