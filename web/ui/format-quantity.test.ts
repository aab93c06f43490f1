import { expect, test } from 'vitest';
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatDuration,
  formatElapsed,
  formatOf,
} from './format-quantity.ts';

test('numbers are grouped by thin spaces', () => {
  expect([0, 999, 1000, 3_000_000, -12_345].map(formatCount)).toEqual([
    '0',
    '999',
    '1\u2009000',
    '3\u2009000\u2009000',
    '-12\u2009345',
  ]);
  expect([formatOf(1, 'row'), formatOf(0, 'row'), formatOf(2, 'branch', 'branches')]).toEqual([
    '1 row',
    '0 rows',
    '2 branches',
  ]);
});

test('sizes have at most one decimal', () => {
  expect([0, 999, 1000, 9_437_184, 99_950_000, 999_999, 3.2e12].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1 kB',
    '9.4 MB',
    '100 MB',
    '1 MB',
    '3.2 TB',
  ]);
});

test('durations name two units at most', () => {
  expect([0, 420, 12_400, 59_700, 185_000, 3_600_000, 7_199_000, 7_800_000].map(formatDuration)).toEqual([
    '0 s',
    '0.4 s',
    '12 s',
    '1 min',
    '3 min 5 s',
    '1 h',
    '2 h',
    '2 h 10 min',
  ]);
});

test('what an answer took is in milliseconds below a second', () => {
  expect([0, 0.24, 3.2, 9.97, 152.6, 999.4, 999.6, 2252, 185_000].map(formatElapsed)).toEqual([
    '0.1 ms',
    '0.2 ms',
    '3.2 ms',
    '10 ms',
    '153 ms',
    '999 ms',
    '1 s',
    '2.3 s',
    '3 min 5 s',
  ]);
});

test('times past are told from now, and by date after a week', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const at = (text: string) => formatAgo(text, now);
  expect([
    at('2026-03-10T11:59:30Z'),
    at('2026-03-10T11:55:00Z'),
    at('2026-03-10T09:00:00Z'),
    at('2026-03-09T10:00:00Z'),
    at('2026-01-02T12:00:00Z'),
    at('?'),
  ]).toEqual(['just now', '5 minutes ago', '3 hours ago', 'yesterday', 'Jan 2, 2026', '']);
});
