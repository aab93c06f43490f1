import { type PaintStroke, type Pixels, paintPixels } from '#shared/domain/annotations/paint-pixels.ts';
import { emptyValues, formatPng, type PngMask } from './png-mask.ts';

/** Values of masks as they were painted last; the next stroke goes on from there instead of from the beginning. */
const painted = new WeakMap<PngMask, { strokes: readonly PaintStroke[]; values: Pixels }>();

/** A mask that is a picture, with what was painted over it and is not saved yet. */
export class PaintedMask {
  readonly png: PngMask;
  readonly strokes: readonly PaintStroke[];

  constructor(png: PngMask, strokes: readonly PaintStroke[] = []) {
    this.png = png;
    this.strokes = strokes;
  }

  /** The mask after one more stroke; the same one where the stroke changes nothing. */
  with(stroke: PaintStroke): PaintedMask {
    const next = new PaintedMask(this.png, [...this.strokes, stroke]);
    const before = this.values().slice();
    return paintPixels(before, this.png, stroke) === 0 ? this : next;
  }

  /** One value per pixel; overwritten by strokes that come later. */
  values(): Pixels {
    if (this.strokes.length === 0) return this.png.values;
    let known = painted.get(this.png);
    if (!known?.strokes.every((stroke, at) => this.strokes[at] === stroke))
      known = { strokes: [], values: this.png.values.slice() };
    for (const stroke of this.strokes.slice(known.strokes.length))
      paintPixels(known.values, this.png, stroke);
    painted.set(this.png, { strokes: this.strokes, values: known.values });
    return known.values;
  }

  /** As an edit names bytes. */
  async encode(): Promise<{ base64: string }> {
    const bytes = await formatPng({ ...this.png, values: this.values() });
    let text = '';
    for (let at = 0; at < bytes.length; at += 0x8000)
      text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return { base64: btoa(text) };
  }

  /** Drafts are told apart as JSON: by what was painted, not by their pixels. */
  toJSON(): unknown {
    return { painted: this.strokes };
  }
}

/** Cells as an edit takes them: painted masks as PNGs. */
export async function encodeCells(
  cells: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const entries = await Promise.all(
    Object.entries(cells).map(async ([name, value]) => [
      name,
      value instanceof PaintedMask ? await value.encode() : value,
    ]),
  );
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** An empty mask of a picture: one byte per pixel, grey. */
export function blankMask({ width, height }: { width: number; height: number }): PngMask {
  const kind = { width, height, bitDepth: 8, colourType: 0 } as const;
  return { ...kind, values: emptyValues(kind), chunks: [] };
}

export interface MaskValue {
  value: number;
  label: string;
  pixels: number;
}

const mostValues = 512;

/** Values with their pixels, the most frequent first, the ground (0 or transparent) left out; null where there are more than a mask has. */
export function valuesOf(
  { colourType }: PngMask,
  values: Pixels,
  classes: readonly string[] | null | undefined,
): MaskValue[] | null {
  const counts = new Map<number, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
    if (counts.size > mostValues) return null;
  }
  return [...counts]
    .filter(([value]) => !isGround(colourType, value))
    .map(([value, pixels]) => ({ value, label: labelOfValue(colourType, value, classes), pixels }))
    .sort((a, b) => b.pixels - a.pixels);
}

/** Black or transparent. */
export const isGround = (colourType: PngMask['colourType'], value: number): boolean =>
  colourType === 6
    ? value % 256 === 0 || value === 255
    : colourType === 4
      ? value % 256 === 0 || value === 255
      : value === 0;

/** What the eraser leaves: transparent where the mask has something transparent, else black. */
export function groundOf({ colourType, values }: PngMask): number {
  if (colourType !== 4 && colourType !== 6) return 0;
  return values.some((value) => value % 256 === 0) ? 0 : 255;
}

/** Grey values and places in a palette are the numbers of classes; other colours are their own names. */
export function labelOfValue(
  colourType: PngMask['colourType'],
  value: number,
  classes: readonly string[] | null | undefined,
): string {
  const plain = colourType === 4 || colourType === 6 ? Math.floor(value / 256) : value;
  if (colourType === 0 || colourType === 3 || colourType === 4) return classes?.[plain] ?? String(plain);
  const [red, green, blue] = [plain >> 16, (plain >> 8) & 255, plain & 255];
  if (red === green && green === blue) return classes?.[red] ?? String(red);
  return `#${plain.toString(16).padStart(6, '0')}`;
}

/** The value of a class by what it is called, a number or a colour; null where the mask cannot hold it. */
export function valueOfLabel(
  { colourType, bitDepth }: Pick<PngMask, 'colourType' | 'bitDepth'>,
  label: string,
  classes: readonly string[] | null | undefined,
): number | null {
  const place = classes?.indexOf(label) ?? -1;
  const number = place >= 0 ? place : /^\d+$/.test(label) ? Number(label) : null;
  const most = 2 ** bitDepth - 1;
  const hasAlpha = colourType === 4 || colourType === 6;
  if (colourType === 2 || colourType === 6) {
    const colour = /^#[0-9a-f]{6}$/i.test(label)
      ? Number.parseInt(label.slice(1), 16)
      : number !== null && number <= 255
        ? number * 0x010101
        : null;
    return colour === null || colour === 0 ? null : hasAlpha ? colour * 256 + 255 : colour;
  }
  if (number === null || number < 1 || number > most) return null;
  return hasAlpha ? number * 256 + 255 : number;
}
