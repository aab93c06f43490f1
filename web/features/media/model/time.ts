/** Seconds as `1:02:03.45`. */
export function formatClock(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–:––';
  const whole = Math.floor(Math.max(0, seconds) * 100 + 1e-6) / 100;
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = (whole % 60).toFixed(2).padStart(5, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

export interface Loop {
  from: number | null;
  to: number | null;
}

export const noLoop: Loop = { from: null, to: null };

/** Where playing goes on when it has come to a place: back to the start of the loop at its end. */
export function loopedTime({ from, to }: Loop, at: number, duration: number): number | null {
  if (from === null && to === null) return null;
  const start = from ?? 0;
  const end = to ?? duration;
  if (!(end > start)) return null;
  return at >= end - 0.005 || at < start - 0.25 ? start : null;
}

/** A loop with a new end or start; ends that stand the wrong way round change places. */
export function setLoop(loop: Loop, end: 'from' | 'to', at: number): Loop {
  const next = { ...loop, [end]: at };
  return next.from !== null && next.to !== null && next.from > next.to
    ? { from: next.to, to: next.from }
    : next;
}

/** Marks on a time line: seconds from columns of times, as single places or as spans. */
export interface TimeMark {
  column: string;
  from: number;
  to: number | null;
}

const markNames =
  /(^|_)(start|end|begin|onset|offset|t|at|time|times|timestamps?|seconds?|sec|marks?|cues?|segments?|cuts?|events?)(_|$|s$)/i;

const secondsOf = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
};

/** Reads marks from the cells of a row: numbers and lists of numbers in seconds, pairs and `{start, end}` as spans. */
export function readMarks(cells: readonly { name: string; value: unknown }[], duration: number): TimeMark[] {
  const marks: TimeMark[] = [];
  const take = (column: string, value: unknown) => {
    if (
      Array.isArray(value) &&
      value.length === 2 &&
      value.every((one) => typeof one === 'number') &&
      (value[0] as number) < (value[1] as number)
    ) {
      marks.push({ column, from: value[0] as number, to: value[1] as number });
      return;
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const { start, end, t, time, from, to } = value as Record<string, unknown>;
      const begin = secondsOf(start ?? from ?? t ?? time);
      if (begin !== null) marks.push({ column, from: begin, to: secondsOf(end ?? to) });
      return;
    }
    const at = secondsOf(value);
    if (at !== null) marks.push({ column, from: at, to: null });
  };
  for (const { name, value } of cells) {
    if (!markNames.test(name)) continue;
    if (Array.isArray(value) && value.length !== 2) for (const one of value) take(name, one);
    else if (Array.isArray(value) && value.some((one) => typeof one !== 'number'))
      for (const one of value) take(name, one);
    else take(name, value);
  }
  return marks.filter(({ from }) => from <= duration).sort((a, b) => a.from - b.from);
}
