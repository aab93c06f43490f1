import { toInstant } from '#shared/domain/instant.ts';

const steps: [unit: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
];

/** Writes a span by its two largest units: `2 d 3 h`, `45 s`, `0 ms`. */
export function formatSpan(ms: number): string {
  let rest = Math.abs(ms);
  const parts: string[] = [];
  for (const [unit, size] of steps) {
    const count = unit === 'ms' ? Math.round(rest) : Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    if (parts.length === 2 || (parts.length === 1 && count === 0)) break;
  }
  return parts.length === 0 ? '0 ms' : parts.join(' ');
}

/** `2 d 3 h later`, `45 s earlier`; `null` where one is no time. */
export function describeShift(before: unknown, after: unknown, type: string): string | null {
  const from = toInstant(before, type);
  const to = toInstant(after, type);
  if (from === null || to === null || from === to) return null;
  return `${formatSpan(to - from)} ${to > from ? 'later' : 'earlier'}`;
}
