/** The hue of a class, 0 to 359: the same name has the same colour everywhere (FNV-1a of its text). */
export function classHue(label: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < label.length; at++) hash = Math.imul(hash ^ label.charCodeAt(at), 0x01000193);
  return (((hash >>> 0) * 137.508) % 360) | 0;
}

/** The colour of a class on pictures; things without a class are white. */
export const classColour = (label: string | null): string =>
  label === null ? 'oklch(0.97 0 0)' : `oklch(0.78 0.17 ${classHue(label)})`;
