import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fetchBudgetBytes, formatBytes, type PlacementInput, planPlacement } from './placement.ts';

const base: PlacementInput = {
  bytes: 1_000_000,
  residentBytes: 0,
  memoryLimitBytes: 1_600_000_000,
  serverOnlyBecause: null,
};

describe('planPlacement', () => {
  test.each<[string, Partial<PlacementInput>, string, string]>([
    ['small columns', {}, 'browser', 'small enough to fetch (1.0 MB)'],
    ['resident columns', { residentBytes: 1_000_000 }, 'browser', 'here already'],
    ['large resident columns', { bytes: 500_000_000, residentBytes: 500_000_000 }, 'browser', 'here already'],
    ['no columns', { bytes: 0 }, 'browser', 'reads no columns'],
    ['too much to fetch', { bytes: fetchBudgetBytes + 1 }, 'server', 'more than a first answer is worth'],
    [
      'too much to hold',
      { bytes: 900_000_000, residentBytes: 900_000_000 },
      'server',
      'more than the browser can hold (800 MB)',
    ],
    [
      'what the browser lacks',
      { serverOnlyBecause: 'json_extract runs on the server only' },
      'server',
      'json_extract',
    ],
    ['a choice of the server', { override: 'server', residentBytes: 1_000_000 }, 'server', 'you chose'],
    ['a choice of the browser', { override: 'browser', bytes: 200_000_000 }, 'browser', 'you chose'],
    [
      'a choice that cannot be',
      { override: 'browser', serverOnlyBecause: 'it reads half floats' },
      'server',
      'half floats',
    ],
    [
      'a choice that does not fit',
      { override: 'browser', bytes: 2e9 },
      'server',
      'more than the browser can hold',
    ],
  ])('%s', (_name, more, engine, reason) => {
    const placement = planPlacement({ ...base, ...more });
    expect(placement.engine).toBe(engine);
    expect(placement.reason).toContain(reason);
  });

  test('what is resident never makes it worse', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000_000), fc.double({ min: 0, max: 1, noNaN: true }), (bytes, share) => {
        const without = planPlacement({ ...base, bytes });
        const withSome = planPlacement({ ...base, bytes, residentBytes: Math.floor(bytes * share) });
        if (without.engine === 'browser') expect(withSome.engine).toBe('browser');
      }),
    );
  });
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_500, '1.5 kB'],
  [64_000_000, '64 MB'],
  [1_234_000_000, '1.2 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
