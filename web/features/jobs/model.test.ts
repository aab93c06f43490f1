import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JobInfo } from '#shared/api/jobs.ts';
import { addSample, describeEnd, formatProgress, queueOf, rateOf, sortJobs, tableResultOf } from './model.ts';

const job = (over: Partial<JobInfo>): JobInfo => ({
  id: 'a',
  kind: 'import',
  title: 'Import clips',
  state: 'running',
  done: 0,
  total: null,
  unit: 'rows',
  message: '',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  ...over,
});

test('the rate is measured over the last seconds', () => {
  const samples = [
    { atMs: 0, done: 0 },
    { atMs: 1_000, done: 100 },
    { atMs: 2_000, done: 300 },
  ].reduce(addSample, [] as { atMs: number; done: number }[]);
  expect(rateOf(samples)).toBe(150);
  expect(addSample(samples, { atMs: 14_500, done: 400 })).toEqual([{ atMs: 14_500, done: 400 }]);
  expect([
    rateOf([]),
    rateOf([{ atMs: 0, done: 5 }]),
    rateOf([
      { atMs: 0, done: 5 },
      { atMs: 100, done: 6 },
    ]),
  ]).toEqual([null, null, null]);
});

test('a new phase starts a new measurement', () => {
  expect(addSample([{ atMs: 0, done: 500 }], { atMs: 10, done: 3 })).toEqual([{ atMs: 10, done: 3 }]);
});

test('samples stay in order and bounded', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 200 }), (steps) => {
      let samples: { atMs: number; done: number }[] = [];
      steps.forEach((step, index) => {
        samples = addSample(samples, { atMs: index * 100, done: step });
      });
      expect(samples.length).toBeLessThanOrEqual(60);
      expect([...samples].sort((a, b) => a.done - b.done || a.atMs - b.atMs)).toEqual(samples);
    }),
  );
});

test('progress says number, rate and time', () => {
  const samples = [
    { atMs: 0, done: 0 },
    { atMs: 2_000, done: 240_000 },
  ];
  expect(formatProgress({ done: 240_000, total: 3_000_000, unit: 'rows' }, samples)).toBe(
    '240\u2009000 of 3\u2009000\u2009000 rows · 120\u2009000 rows/s · 23 s left',
  );
  expect(formatProgress({ done: 5e6, total: 1e7, unit: 'bytes' })).toBe('5 MB of 10 MB');
  expect([
    formatProgress({ done: 0, total: null, unit: 'rows' }),
    formatProgress({ done: 12, total: null, unit: 'files' }),
  ]).toEqual(['', '12 files']);
});

test('an end says what came of it', () => {
  const done = job({ state: 'done', result: { table: 'clips', rows: 218, version: 1 } });
  expect([
    describeEnd(done),
    describeEnd(job({ state: 'failed' })),
    describeEnd(job({})),
    tableResultOf(job({ result: { freed: 3 } })),
  ]).toEqual(['clips is ready: 218 rows', 'Import clips failed', null, null]);
});

test('the queue is in the order in which jobs come to run', () => {
  const jobs = [
    job({ id: 'c', state: 'queued', createdAt: '2026-01-03' }),
    job({ id: 'b', state: 'queued', createdAt: '2026-01-02' }),
    job({ id: 'd', createdAt: '2026-01-04' }),
    job({ id: 'a', state: 'done' }),
  ];
  expect(queueOf(jobs).map(({ id }) => id)).toEqual(['d', 'b', 'c']);
});

test('running jobs come first', () => {
  const jobs = [
    job({ id: 'old', createdAt: '2026-01-01' }),
    job({ id: 'ended', state: 'done', createdAt: '2026-01-03' }),
    job({ id: 'new', createdAt: '2026-01-02' }),
  ];
  expect(sortJobs(jobs).map(({ id }) => id)).toEqual(['new', 'old', 'ended']);
});

test('a run of checks says how many pass', () => {
  const results = ['passed', 'failed', 'passed'].map((outcome) => ({ outcome }));
  expect(describeEnd(job({ title: 'Check review 1', state: 'done', result: { results } }))).toBe(
    'Check review 1: 2 of 3 checks pass',
  );
});
