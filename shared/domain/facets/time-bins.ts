import { type FacetBins, maxBins } from './bins.ts';

export type TimeStep =
  | { unit: 'ms'; count: number }
  | { unit: 'day'; count: number }
  | { unit: 'month'; count: number };

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** The first Monday after 1970 began. */
const firstMonday = 4 * day;

const fineSteps: readonly TimeStep[] = [
  ...[1, 5, 10, 50, 100, 500].map((count) => ({ unit: 'ms' as const, count })),
  ...[1, 5, 15, 30].map((count) => ({ unit: 'ms' as const, count: count * second })),
  ...[1, 5, 15, 30].map((count) => ({ unit: 'ms' as const, count: count * minute })),
  ...[1, 3, 6, 12].map((count) => ({ unit: 'ms' as const, count: count * hour })),
  { unit: 'day', count: 1 },
  { unit: 'day', count: 7 },
  ...[1, 3, 12, 24, 60, 120, 600, 1200, 6000, 12_000].map((count) => ({ unit: 'month' as const, count })),
];
const mostBars = 48;

/** The start of the step that an instant lies in, in UTC; weeks begin on Monday. */
export function floorTime(ms: number, { unit, count }: TimeStep): number {
  if (unit === 'ms') return Math.floor(ms / count) * count;
  if (unit === 'day') {
    const from = count === 7 ? firstMonday : 0;
    return Math.floor((ms - from) / (count * day)) * count * day + from;
  }
  const at = new Date(ms);
  const months = at.getUTCFullYear() * 12 + at.getUTCMonth();
  return monthStart(Math.floor(months / count) * count);
}

const monthStart = (months: number): number => {
  const at = new Date(0);
  at.setUTCFullYear(Math.floor(months / 12), ((months % 12) + 12) % 12, 1);
  return at.getTime();
};

function nextTime(start: number, step: TimeStep): number {
  if (step.unit === 'ms') return start + step.count;
  if (step.unit === 'day') return start + step.count * day;
  const at = new Date(start);
  return monthStart(at.getUTCFullYear() * 12 + at.getUTCMonth() + step.count);
}

const lengthOf = ({ unit, count }: TimeStep): number =>
  unit === 'ms' ? count : unit === 'day' ? count * day : count * 30.44 * day;

/** Bins by the natural unit of the range (seconds … days, weeks, months, years) from `min` to `max`, in milliseconds UTC. */
export function planTimeBins({ min, max, isDate }: { min: number; max: number; isDate: boolean }): FacetBins {
  const steps = fineSteps.filter((step) => !isDate || step.unit !== 'ms');
  const fits = (step: TimeStep, most: number): boolean => (max - min) / lengthOf(step) <= most - 2;
  const at = Math.max(
    0,
    steps.findIndex((step) => fits(step, maxBins)) + (fits(steps.at(-1)!, maxBins) ? 0 : steps.length),
  );
  const fine = steps[at] ?? steps.at(-1)!;
  const edges = [floorTime(min, fine)];
  while (edges.at(-1)! <= max && edges.length <= maxBins) edges.push(nextTime(edges.at(-1)!, fine));
  const coarse = steps.slice(at).find((step) => fits(step, mostBars)) ?? fine;
  const bars = edges
    .slice(0, -1)
    .flatMap((edge, bin) =>
      bin === 0 || floorTime(edge, coarse) !== floorTime(edges[bin - 1]!, coarse) ? [bin] : [],
    );
  return { kind: 'ordered', edges, bars, values: [] };
}
