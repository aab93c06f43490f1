import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planWindow, type Span, type WindowFacts } from './plan-window.ts';

const sizes = { windowRows: 4000, marginRows: 100, firstRows: 256 };

test.each<[string, Omit<WindowFacts, keyof typeof sizes>, Span | null]>([
  [
    'the first screen, before the total is known',
    { first: 0, last: 30, total: null, held: [] },
    { start: 0, end: 256 },
  ],
  ['a small table whole', { first: 0, last: 30, total: 218, held: [] }, { start: 0, end: 218 }],
  [
    'nothing while there is enough ahead',
    { first: 20, last: 50, total: 9999, held: [{ start: 0, end: 256 }] },
    null,
  ],
  [
    'a whole window near the end of what is there',
    { first: 140, last: 170, total: 9999, held: [{ start: 0, end: 256 }] },
    { start: 256, end: 4256 },
  ],
  [
    'the rest at the end',
    { first: 9800, last: 9830, total: 9999, held: [{ start: 5000, end: 9900 }] },
    { start: 9900, end: 9999 },
  ],
  [
    'a jump: few rows around the screen',
    { first: 50_000, last: 50_030, total: 99_999, held: [{ start: 0, end: 256 }] },
    { start: 49_888, end: 50_144 },
  ],
  [
    'scrolling up from a jump',
    { first: 49_900, last: 49_930, total: 99_999, held: [{ start: 49_888, end: 50_144 }] },
    { start: 45_888, end: 49_888 },
  ],
  [
    'the gap between two held spans',
    {
      first: 300,
      last: 330,
      total: 9999,
      held: [
        { start: 0, end: 310 },
        { start: 320, end: 900 },
      ],
    },
    { start: 310, end: 320 },
  ],
  ['nothing of an empty result', { first: 0, last: 30, total: 0, held: [] }, null],
  [
    'the last row when the screen lies past the end',
    { first: 500, last: 530, total: 218, held: [] },
    { start: 90, end: 218 },
  ],
])('plans %s', (_name, facts, expected) => {
  expect(planWindow({ ...sizes, ...facts })).toEqual(expected);
});

const heldSpans = fc
  .uniqueArray(fc.integer({ min: 0, max: 3000 }), { maxLength: 12 })
  .map((edges) => edges.toSorted((a, b) => a - b))
  .map((edges) =>
    edges.flatMap((start, at) =>
      at % 2 === 0 && edges[at + 1] !== undefined ? [{ start, end: edges[at + 1] as number }] : [],
    ),
  );

test('what is planned is never held, lies in the result, and in the end nothing of the screen is missing', () => {
  fc.assert(
    fc.property(
      heldSpans,
      fc.integer({ min: 0, max: 2999 }),
      fc.integer({ min: 1, max: 60 }),
      (spans, first, height) => {
        const total = 3000;
        const held = [...spans];
        const facts = { first, last: first + height, total, windowRows: 500, marginRows: 40, firstRows: 100 };
        for (let round = 0; ; round += 1) {
          const span = planWindow({ ...facts, held });
          if (span === null) break;
          expect(round).toBeLessThan(30);
          expect(span.start).toBeGreaterThanOrEqual(0);
          expect(span.end).toBeGreaterThan(span.start);
          expect(span.end).toBeLessThanOrEqual(total);
          for (const other of held) expect(span.end <= other.start || span.start >= other.end).toBe(true);
          held.push(span);
          held.sort((a, b) => a.start - b.start);
        }
        for (let place = first; place <= Math.min(first + height, total - 1); place += 1)
          expect(held.some((span) => span.start <= place && place < span.end)).toBe(true);
      },
    ),
  );
});

test('scrolling on from the first screen costs at most one request per 2,000 rows', () => {
  const held: Span[] = [{ start: 0, end: 256 }];
  let requests = 0;
  for (let first = 0; first < 40_000; first += 7) {
    const span = planWindow({ ...sizes, first, last: first + 40, total: 1_000_000, held });
    if (span === null) continue;
    requests += 1;
    held.push(span);
  }
  expect(requests).toBeLessThanOrEqual(20);
});
