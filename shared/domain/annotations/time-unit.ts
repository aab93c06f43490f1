/** What the times of annotations count. */
export type TimeUnit = 'frame' | 'second' | 'millisecond';

/** By the name of the field: frames where it says `frame`, milliseconds where it ends in `ms`, else seconds. */
export function timeUnitOf(field: string): TimeUnit {
  if (/frame/i.test(field)) return 'frame';
  return /(^|_)(ms|msecs?|millis|milliseconds?)(_|$)/i.test(field) ? 'millisecond' : 'second';
}
