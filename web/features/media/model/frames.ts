/** When the frames of a video are shown. */
export interface FrameTimes {
  /** Frames a second, on average. */
  rate: number;
  /** The start of each frame in seconds, sorted; null where only the rate is known. */
  starts: Float64Array | null;
  isAssumed: boolean;
}

/** Where the file does not tell. */
export const assumedFrames: FrameTimes = { rate: 30, starts: null, isAssumed: true };

/** The number of the frame that is seen at a time. */
export function frameAt({ rate, starts }: FrameTimes, seconds: number): number {
  if (!starts || starts.length === 0) return Math.max(0, Math.floor(seconds * rate + 1e-3));
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= seconds + 1e-6) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A time in the middle of a frame, so that a player shows that one and no neighbour. */
export function timeOfFrame({ rate, starts }: FrameTimes, frame: number): number {
  if (!starts || starts.length === 0) return (Math.max(0, frame) + 0.5) / rate;
  const at = Math.max(0, Math.min(starts.length - 1, frame));
  const start = starts[at]!;
  const end = starts[at + 1] ?? start + 1 / rate;
  return (start + end) / 2;
}

/** When a frame begins, in seconds; of the one after the last, when that ends. */
export function startOfFrame({ rate, starts }: FrameTimes, frame: number): number {
  if (!starts || starts.length === 0) return Math.max(0, frame) / rate;
  const last = starts.length - 1;
  return frame > last ? starts[last]! + (frame - last) / rate : starts[Math.max(0, frame)]!;
}
