const thinSpace = '\u2009';

/** Groups the digits of a whole number by thin spaces: `3 000 000`. */
export const formatCount = (count: number | bigint): string =>
  String(count).replace(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, thinSpace);

/** `1 row`, `3 000 rows`; irregular plurals are given. */
export const formatOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `512 B`, `9.4 MB`: decimal units, at most one decimal. */
export function formatBytes(sizeBytes: number): string {
  let size = sizeBytes;
  let unit = 0;
  while (Math.round(size * 10) / 10 >= 1000 && unit < byteUnits.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : Math.round(size * 10) / 10} ${byteUnits[unit]}`;
}

/** How long something takes or took: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return join(Math.floor(whole / 60), 'min', whole % 60, 's');
  const minutes = Math.round(whole / 60);
  return join(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

/** How long an answer took: `3.2 ms`, `153 ms`, `2.3 s`, `3 min 5 s`. */
export function formatElapsed(ms: number): string {
  if (ms < 9.95) return `${Math.max(0.1, Math.round(ms * 10) / 10)} ms`;
  return ms < 999.5 ? `${Math.round(ms)} ms` : formatDuration(ms);
}

const join = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

const agoSteps: [limitMs: number, unitMs: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [3_600_000, 60_000, 'minute'],
  [86_400_000, 3_600_000, 'hour'],
  [7 * 86_400_000, 86_400_000, 'day'],
];

/** How long ago something happened: `just now`, `5 minutes ago`, `yesterday`, and the date after a week. */
export function formatAgo(at: string | Date, now = new Date()): string {
  const time = new Date(at);
  const ago = now.getTime() - time.getTime();
  if (Number.isNaN(ago)) return '';
  if (ago < 45_000) return 'just now';
  const step = agoSteps.find(([limit]) => ago < limit);
  if (!step) return time.toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(
    -Math.max(1, Math.round(ago / step[1])),
    step[2],
  );
}

/** A point in time in full, in the person's zone: for tooltips. */
export const formatMoment = (at: string | Date): string =>
  new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'long' });
