import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConversation, sideOf } from './conversation.ts';
import { assumedFrames, frameAt, timeOfFrame } from './frames.ts';
import { countPixels, histogramPath } from './histogram.ts';
import { buildSpectrogram, fft, peaksOf } from './spectrum.ts';
import { findInText, readingsOf } from './text-kind.ts';
import { formatClock, loopedTime, noLoop, readMarks, setLoop } from './time.ts';

test('pixels are counted per channel, transparent ones are not', () => {
  const counted = countPixels(Uint8Array.of(255, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9, 0));
  expect([counted.red[255], counted.red[0], counted.light[54], counted.pixels, counted.dark]).toEqual([
    1, 1, 1, 2, 0.5,
  ]);
  expect(histogramPath(counted.red, 40, 1)).toMatch(/^M0 40L0 0\.0L1 40\.0.*Z$/);
});

test('a tone stands in its own row of the spectrogram', () => {
  const rate = 8192;
  const tone = Float32Array.from({ length: rate }, (_none, at) => Math.sin((2 * Math.PI * 1024 * at) / rate));
  const { columns, rows, values, maxHz } = buildSpectrogram(tone, rate, 3);
  const column = values.subarray(rows, 2 * rows);
  const hz = ((rows - 1 - column.indexOf(255)) * maxHz) / rows;
  expect([columns, rows, hz]).toEqual([3, 512, 1024]);
});

test('the transform keeps the energy of a signal (Parseval)', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 16, maxLength: 16 }),
      (signal) => {
        const real = Float32Array.from(signal);
        const imaginary = new Float32Array(16);
        fft(real, imaginary);
        const energy = (list: ArrayLike<number>) => Array.from(list).reduce((sum, one) => sum + one * one, 0);
        expect((energy(real) + energy(imaginary)) / 16).toBeCloseTo(energy(signal), 3);
      },
    ),
  );
});

test('peaks are the least and the most of each stretch', () => {
  expect(peaksOf(Float32Array.of(0, 1, -1, 0.5), 2)).toEqual({
    low: Float32Array.of(0, -1),
    high: Float32Array.of(1, 0.5),
  });
});

test('clocks, loops and marks', () => {
  expect([0, 61.5, 3725.25, Number.NaN].map(formatClock)).toEqual([
    '0:00.00',
    '1:01.50',
    '1:02:05.25',
    '–:––',
  ]);
  const loop = setLoop(setLoop(noLoop, 'from', 5), 'to', 2);
  expect(loop).toEqual({ from: 2, to: 5 });
  expect([
    loopedTime(loop, 5, 10),
    loopedTime(loop, 3, 10),
    loopedTime(noLoop, 3, 10),
    loopedTime({ from: 2, to: null }, 10, 10),
  ]).toEqual([2, null, null, 2]);
  expect(
    readMarks(
      [
        { name: 'start_time', value: 3 },
        { name: 'segments', value: [{ start: 1, end: 2 }] },
        { name: 'cuts', value: [0.5, 4, 99] },
        { name: 'width', value: 2 },
      ],
      10,
    ),
  ).toEqual([
    { column: 'cuts', from: 0.5, to: null },
    { column: 'segments', from: 1, to: 2 },
    { column: 'start_time', from: 3, to: null },
    { column: 'cuts', from: 4, to: null },
  ]);
});

test('chats in the shapes that people write them in', () => {
  expect(
    parseConversation([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Yes?' },
          { type: 'image_url', image_url: 'x' },
        ],
      },
    ]),
  ).toEqual([
    { role: 'user', text: 'Hi', more: null },
    { role: 'assistant', text: 'Yes?', more: expect.stringContaining('image_url') },
  ]);
  expect(parseConversation({ conversations: [{ from: 'human', value: 'Hi' }] })).toEqual([
    { role: 'human', text: 'Hi', more: null },
  ]);
  expect([
    parseConversation([]),
    parseConversation([{ a: 1 }]),
    parseConversation('x'),
    parseConversation([{ role: 'user', content: 3 }]),
  ]).toEqual([null, null, null, null]);
  expect(['user', 'gpt', 'tool'].map(sideOf)).toEqual(['person', 'model', 'other']);
});

test('how a text can be read', () => {
  const kinds = (text: string) => readingsOf(text).map(({ kind }) => kind);
  expect([
    kinds('plain words'),
    kinds('# Title\n\n- one\n- two'),
    kinds('{"a": 1}'),
    kinds('[{"role": "user", "content": "Hi"}]'),
    kinds('{ not json'),
  ]).toEqual([['plain'], ['markdown', 'plain'], ['json', 'plain'], ['chat', 'json', 'plain'], ['plain']]);
});

test('words are found whatever their case, and a cut is told', () => {
  expect(findInText('Cat cat (CAT)', 'cat')).toEqual({ starts: [0, 4, 9], isCut: false });
  expect(findInText('aaaa', 'a', 2)).toEqual({ starts: [0, 1], isCut: true });
  expect(findInText('a+b', '+').starts).toEqual([1]);
});

test('frames of any spacing are found and shown one by one', () => {
  const starts = fc.array(fc.double({ min: 0.001, max: 0.5, noNaN: true }), { minLength: 2, maxLength: 60 });
  fc.assert(
    fc.property(starts, (gaps) => {
      let at = 0;
      const frames = { rate: 25, isAssumed: false, starts: Float64Array.from(gaps, (gap) => (at += gap)) };
      for (let frame = 0; frame < gaps.length; frame++)
        expect(frameAt(frames, timeOfFrame(frames, frame))).toBe(frame);
      expect(timeOfFrame(frames, 999)).toBeGreaterThan(frames.starts.at(-1)!);
    }),
  );
  expect(frameAt(assumedFrames, timeOfFrame(assumedFrames, 17))).toBe(17);
});
