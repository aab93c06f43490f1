const gamma = 1 / 2.2;
const middleGrey = 0.18;

/**
 * Light of any strength as RGBA for the screen: the mean of its logarithm becomes a middle grey, and what is brighter is
 * bent towards white (Reinhard, “Photographic tone reproduction”, 2002). Light within 0 to 1 is only encoded as sRGB.
 */
export function toneMap({
  width,
  height,
  valueAt,
  alphaAt,
}: {
  width: number;
  height: number;
  /** Linear light of red (0), green (1) and blue (2). */
  valueAt(pixel: number, channel: number): number;
  alphaAt?(pixel: number): number;
}): Uint8Array {
  const count = width * height;
  const step = Math.max(1, Math.floor(count / 200_000));
  let logs = 0;
  let lit = 0;
  let highest = 0;
  for (let pixel = 0; pixel < count; pixel += step) {
    const light = 0.2126 * valueAt(pixel, 0) + 0.7152 * valueAt(pixel, 1) + 0.0722 * valueAt(pixel, 2);
    if (!Number.isFinite(light)) continue;
    highest = Math.max(highest, light);
    if (light > 1e-6) {
      logs += Math.log(light);
      lit += 1;
    }
  }
  const isBounded = highest <= 1;
  const exposure = isBounded || lit === 0 ? 1 : middleGrey / Math.exp(logs / lit);
  const data = new Uint8Array(count * 4);
  for (let pixel = 0; pixel < count; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      const value = valueAt(pixel, channel) * exposure;
      const light =
        value > 0 ? (value === Number.POSITIVE_INFINITY ? 1 : isBounded ? value : value / (1 + value)) : 0;
      data[pixel * 4 + channel] = Math.round(255 * Math.min(1, light) ** gamma);
    }
    const alpha = alphaAt ? alphaAt(pixel) : 1;
    data[pixel * 4 + 3] = Math.round(255 * Math.min(1, Math.max(0, alpha || 0)));
  }
  return data;
}
