import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import type { Annotation } from '#shared/domain/annotations/shape.ts';
import { timeUnitOf } from '#shared/domain/annotations/time-unit.ts';
import type { AnnotationSet } from './annotation-sets.ts';
import { type FrameTimes, frameAt, startOfFrame } from './frames.ts';

/** The annotations of one set in a video by the frames that they are of. */
export interface FramedSet {
  set: AnnotationSet;
  /** Frames that have some, sorted. */
  frames: readonly number[];
  byFrame: ReadonlyMap<number, readonly Annotation[]>;
  /** Those without a time: seen on every frame. */
  always: readonly Annotation[];
  /** For how many frames one is held while a video is watched: as far as annotated frames lie apart. */
  hold: number;
}

/** Times are rounded when they are written: what lies so close before a frame is of it. */
const roundedSeconds = 0.0051;

/** The frame that a time of a layout is of. */
export function frameOfTime(frames: FrameTimes, field: string, time: number): number {
  const unit = timeUnitOf(field);
  if (unit === 'frame') return Math.round(time);
  const { rate, starts } = frames;
  const seconds = (unit === 'millisecond' ? time / 1000 : time) + Math.min(roundedSeconds, 0.25 / rate);
  if (seconds < 0) return -1;
  const last = starts?.at(-1);
  if (starts && last !== undefined && seconds >= last + 1.5 / rate)
    return starts.length - 1 + Math.floor((seconds - last) * rate);
  return frameAt(frames, seconds);
}

/** What a layout writes for a frame; inverse of {@link frameOfTime}. */
export function timeForFrame(frames: FrameTimes, field: string, frame: number): number {
  const unit = timeUnitOf(field);
  if (unit === 'frame') return frame;
  const seconds = startOfFrame(frames, frame);
  return unit === 'millisecond' ? Math.ceil(seconds * 1000 - 1e-6) : Number(seconds.toFixed(6));
}

export const timeField = ({ time }: Pick<AnnotationLayout, 'time'>): string | null => time ?? null;

/** Sorts the annotations of sets by their frames, once for all frames. */
export const frameSets = (sets: readonly AnnotationSet[], frames: FrameTimes): FramedSet[] =>
  sets.map((set) => {
    const field = timeField(set.layout);
    const byFrame = new Map<number, Annotation[]>();
    const always: Annotation[] = [];
    for (const one of set.annotations) {
      if (field === null || one.time === null) {
        always.push(one);
        continue;
      }
      const frame = frameOfTime(frames, field, one.time);
      const there = byFrame.get(frame);
      if (there) there.push(one);
      else byFrame.set(frame, [one]);
    }
    const sorted = [...byFrame.keys()].sort((a, b) => a - b);
    return { set, frames: sorted, byFrame, always, hold: typicalGap(sorted) };
  });

/** The median of the distances between neighbours; 1 where there are none. */
function typicalGap(sorted: readonly number[]): number {
  const gaps = sorted.slice(1).map((frame, at) => frame - sorted[at]!);
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 1;
}

/** The newest annotated frame up to a frame; null before the first. */
export function frameUpTo(frames: readonly number[], frame: number): number | null {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames[middle]! <= frame) low = middle + 1;
    else high = middle;
  }
  return frames[low - 1] ?? null;
}

/**
 * What is seen of a set at a frame: the annotated frame whose annotations are shown, this one or one that is held, and
 * null where none are. While it is edited only those of the frame itself are.
 */
export function seenFrame({ frames, hold }: FramedSet, frame: number, isExact: boolean): number | null {
  const newest = frameUpTo(frames, frame);
  return newest === null || frame - newest >= (isExact ? 1 : hold) ? null : newest;
}

/** The sets with what is seen at a frame. */
export const setsAtFrame = (
  framed: readonly FramedSet[],
  frame: number,
  { isExact }: { isExact: boolean },
): AnnotationSet[] =>
  framed.map((one) => {
    const from = seenFrame(one, frame, isExact);
    const now = from === null ? [] : (one.byFrame.get(from) ?? []);
    return { ...one.set, annotations: one.always.length === 0 ? [...now] : [...one.always, ...now] };
  });

/** Annotations of frames that a video of so many frames does not have. */
export const outsideOf = ({ frames, byFrame }: FramedSet, total: number): number =>
  frames.reduce(
    (sum, frame) => (frame < 0 || frame >= total ? sum + (byFrame.get(frame)?.length ?? 0) : sum),
    0,
  );

/** Frames that any of the sets has something on, sorted. */
export const annotatedFrames = (framed: readonly FramedSet[]): number[] =>
  [...new Set(framed.flatMap(({ frames }) => frames))].sort((a, b) => a - b);

/** The next annotated frame in a direction; null where there is none. */
export function nextAnnotated(frames: readonly number[], frame: number, by: 1 | -1): number | null {
  if (by < 0) return frameUpTo(frames, frame - 1);
  const before = frameUpTo(frames, frame);
  return frames[before === null ? 0 : frames.indexOf(before) + 1] ?? null;
}

export interface FrameSpan {
  from: number;
  to: number;
}

/** Annotated frames as spans for a line of so many frames: neighbours, and what lies closer than a pixel, are one. */
export function spansOf(frames: readonly number[], total: number): FrameSpan[] {
  const closest = Math.max(1, total / 1500);
  const spans: FrameSpan[] = [];
  for (const frame of frames) {
    const last = spans.at(-1);
    if (last && frame - last.to <= closest) last.to = frame;
    else spans.push({ from: frame, to: frame });
  }
  return spans;
}
