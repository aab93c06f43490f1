/** Stops of a ramp that reads on light and on dark grounds, from low to high (after Viridis, without its darkest end). */
const stops: readonly (readonly [number, number, number])[] = [
  [72, 66, 160],
  [47, 108, 170],
  [33, 145, 140],
  [66, 190, 113],
  [160, 218, 57],
  [253, 231, 37],
];

/** The sRGB colour of a share of the height, 0 to 1. */
export function heightColor(share: number): readonly [number, number, number] {
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(at));
  const [from, to] = [stops[low]!, stops[low + 1]!];
  const part = at - low;
  return [0, 1, 2].map((channel) => Math.round(from[channel]! + (to[channel]! - from[channel]!) * part)) as [
    number,
    number,
    number,
  ];
}
