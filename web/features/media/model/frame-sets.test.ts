import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnnotationSet } from './annotation-sets.ts';
import {
  annotatedFrames,
  frameOfTime,
  frameSets,
  nextAnnotated,
  outsideOf,
  setsAtFrame,
  spansOf,
  timeForFrame,
} from './frame-sets.ts';
import type { FrameTimes } from './frames.ts';

const even: FrameTimes = { rate: 25, starts: null, isAssumed: false };

const setOf = (times: readonly (number | null)[], field = 'frame'): AnnotationSet => ({
  name: 'boxes',
  layout: { column: 'boxes', many: 'list', unit: 'pixel', geometry: [], time: field },
  annotations: times.map((time, index) => ({
    index,
    shapes: [],
    label: `${time}`,
    score: null,
    caption: null,
    time,
  })),
  faulty: 0,
});

const seen = (times: readonly (number | null)[], frame: number, isExact = false) =>
  setsAtFrame(frameSets([setOf(times)], even), frame, { isExact })[0]!.annotations.map(({ label }) => label);

test('a frame shows its own annotations and those without a time; sparse ones are held until the next', () => {
  const times = [null, 0, 10, 10, 20];
  expect([0, 9, 10, 19, 29, 30].map((frame) => seen(times, frame))).toEqual([
    ['null', '0'],
    ['null', '0'],
    ['null', '10', '10'],
    ['null', '10', '10'],
    ['null', '20'],
    ['null'],
  ]);
});

test('where every frame is annotated nothing is held on a frame that has none', () => {
  expect([seen([0, 1, 2, 3, 9], 3), seen([0, 1, 2, 3, 9], 4), seen([0, 1, 2, 3, 9], 9)]).toEqual([
    ['3'],
    [],
    ['9'],
  ]);
});

test('while a frame is edited only its own annotations are there', () => {
  expect([seen([0, 10, 20], 9, true), seen([0, 10, 20], 10, true)]).toEqual([[], ['10']]);
});

test('what is written for a frame is read as of that frame, in frames, seconds and milliseconds, also rounded', () => {
  const gaps = fc.array(fc.double({ min: 0.011, max: 0.2, noNaN: true }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(
      gaps,
      fc.nat(39),
      fc.constantFrom('frame_id', 'time', 'timestamp_ms', 't'),
      (list, at, field) => {
        const starts = new Float64Array(list.length + 1);
        for (const [place, gap] of list.entries()) starts[place + 1] = starts[place]! + gap;
        const frames: FrameTimes = { rate: list.length / starts.at(-1)!, starts, isAssumed: false };
        const frame = Math.min(at, list.length);
        expect(frameOfTime(frames, field, timeForFrame(frames, field, frame))).toBe(frame);
      },
    ),
  );
  const film: FrameTimes = { rate: 30, starts: null, isAssumed: false };
  for (let frame = 0; frame < 300; frame++)
    expect(frameOfTime(film, 'time', Number((frame / 30).toFixed(2)))).toBe(frame);
});

test('annotations beyond the end are told, not shown on the last frame', () => {
  const starts = Float64Array.from({ length: 25 }, (_none, at) => at / 25);
  const frames = { rate: 25, starts, isAssumed: false };
  const [framed] = frameSets([setOf([0.5, 0.97, 7, -1], 'time')], frames);
  expect(outsideOf(framed!, starts.length)).toBe(2);
  expect(setsAtFrame([framed!], 24, { isExact: true })[0]!.annotations.map(({ label }) => label)).toEqual([
    '0.97',
  ]);
});

test('walks annotated frames and draws neighbours as one span', () => {
  const frames = annotatedFrames(frameSets([setOf([3, 4, 5, 40]), setOf([4, 90])], even));
  expect(frames).toEqual([3, 4, 5, 40, 90]);
  expect([
    nextAnnotated(frames, 0, 1),
    nextAnnotated(frames, 5, 1),
    nextAnnotated(frames, 90, 1),
    nextAnnotated(frames, 50, -1),
    nextAnnotated(frames, 3, -1),
  ]).toEqual([3, 40, null, 40, null]);
  expect(spansOf(frames, 100)).toEqual([
    { from: 3, to: 5 },
    { from: 40, to: 40 },
    { from: 90, to: 90 },
  ]);
});
