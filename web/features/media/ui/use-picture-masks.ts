import { useEffect, useMemo, useState } from 'react';
import { classColour } from '#shared/domain/annotations/class-colour.ts';
import type { ClassMap } from '#shared/domain/annotations/class-regions.ts';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import type { Pixels } from '#shared/domain/annotations/paint-pixels.ts';
import type { Size } from '#shared/domain/annotations/shape.ts';
import { type GridRow, type MediaOf, readBlobCell } from '../../grid/index.ts';
import { blankMask, labelOfValue, PaintedMask, valuesOf } from '../model/painted-mask.ts';
import { PngProblem, parsePng } from '../model/png-mask.ts';
import { rgbOf } from './mask-image.tsx';

/** A mask that is a picture: its values are classes. */
export interface PictureMask {
  name: string;
  width: number;
  height: number;
  /** Values with the pixels that have them; the ground (black or transparent) is left out. */
  classes: { label: string; pixels: number }[];
  /** More values than a mask has: a picture rather than a mask. */
  isPlain: boolean;
  /** Its values with their classes; null where it is plain. */
  map: ClassMap | null;
  /** The mask in the colours of its classes, those hidden left out. */
  paint: (hidden: readonly string[]) => string;
  /** Its values as they are written, with what was painted; null where it is no PNG that can be painted. */
  painted: PaintedMask | null;
  whyNotPaint: string | null;
}

interface Read {
  src: string;
  /** Values where they could be read as they are written, else the picture itself. */
  found: PaintedMask | { image: HTMLImageElement; whyNot: string };
}

const mostPaintedPx = 2048;

/**
 * Masks of a row that are pictures of their own. `cells` are drafts that stand above the row; with `size` an empty cell
 * is a mask of that size that nothing is painted in.
 */
export function usePictureMasks(
  layouts: readonly AnnotationLayout[],
  { row, media, cells, size }: PictureMaskOptions,
): PictureMask[] {
  const wanted = layouts
    .filter(({ many }) => many === 'picture')
    .map((layout) => {
      const cell = row ? readBlobCell(row.value(layout.column)) : null;
      const address = row && cell ? media(row, layout.column) : null;
      return { layout, src: address?.blob ?? '' };
    });
  const key = wanted.map(({ src }) => src).join('\n');
  const [read, setRead] = useState<readonly Read[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the addresses say all that matters
  useEffect(() => {
    const stop = new AbortController();
    const sources = wanted.flatMap(({ src }) => (src === '' ? [] : [src]));
    void Promise.all(sources.map((src) => readMask(src, stop.signal).catch(() => null))).then((list) => {
      if (!stop.signal.aborted) setRead(list.filter((one) => one !== null));
    });
    return () => stop.abort();
  }, [key]);
  const blank = useMemo(() => (size ? new PaintedMask(blankMask(size)) : null), [size]);
  const drafts = wanted.map(({ layout }) => cells?.[layout.column]);
  const draftKey = drafts.map(idOf).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: drafts are compared one by one, layouts by what they read
  return useMemo(
    () =>
      wanted.flatMap(({ layout, src }, at): PictureMask[] => {
        const draft = drafts[at];
        const found =
          draft instanceof PaintedMask
            ? draft
            : src === ''
              ? blank
              : read.find((one) => one.src === src)?.found;
        if (!found) return [];
        return [found instanceof PaintedMask ? ofValues(layout, found) : ofImage(layout, found)];
      }),
    [key, read, blank, layouts, draftKey],
  );
}

const ids = new WeakMap<object, number>();
let newestId = 0;

/** Tells drafts apart. */
function idOf(draft: unknown): number {
  if (typeof draft !== 'object' || draft === null) return 0;
  const id = ids.get(draft) ?? ++newestId;
  ids.set(draft, id);
  return id;
}

export interface PictureMaskOptions {
  row: GridRow | undefined;
  media: MediaOf;
  cells?: Readonly<Record<string, unknown>>;
  size?: Size | null;
}

async function readMask(src: string, signal: AbortSignal): Promise<Read> {
  try {
    const response = await fetch(src, { signal });
    if (!response.ok) throw new PngProblem('It cannot be read.');
    const png = await parsePng(new Uint8Array(await response.arrayBuffer()));
    return { src, found: new PaintedMask(png) };
  } catch (failure) {
    if (!(failure instanceof PngProblem)) throw failure;
    const image = new Image();
    image.src = src;
    await image.decode();
    return { src, found: { image, whyNot: `The mask cannot be painted. ${failure.message}` } };
  }
}

function ofValues(layout: AnnotationLayout, painted: PaintedMask): PictureMask {
  const { width, height, colourType } = painted.png;
  const values = painted.values();
  const counted = valuesOf(painted.png, values, layout.classes);
  return {
    name: layout.column,
    width,
    height,
    isPlain: counted === null,
    map: counted && { width, height, values, labels: new Map(counted.map((one) => [one.value, one.label])) },
    classes: counted?.map(({ label, pixels }) => ({ label, pixels })) ?? [],
    painted,
    whyNotPaint: counted === null ? 'It has more values than a mask has' : null,
    paint: once((hidden) =>
      paintValues({ values, width, height }, (value) => {
        const label = labelOfValue(colourType, value, layout.classes);
        return counted?.some((one) => one.value === value) && !hidden.includes(label) ? label : null;
      }),
    ),
  };
}

/** A mask in another format, through the browser’s eyes: looked at, not painted. */
function ofImage(
  layout: AnnotationLayout,
  { image, whyNot }: { image: HTMLImageElement; whyNot: string },
): PictureMask {
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  const canvas = document.createElement('canvas');
  Object.assign(canvas, size);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context?.drawImage(image, 0, 0);
  const data = context?.getImageData(0, 0, size.width, size.height).data;
  const values = new Uint32Array(size.width * size.height);
  if (data)
    for (let at = 0; at < values.length; at++)
      values[at] =
        data[4 * at + 3] === 0 ? 0 : (data[4 * at]! << 16) | (data[4 * at + 1]! << 8) | data[4 * at + 2]!;
  const seen = new PaintedMask({ ...size, bitDepth: 8, colourType: 2, values, chunks: [] });
  const mask = ofValues(layout, seen);
  return { ...mask, painted: null, whyNotPaint: whyNot, ...(mask.isPlain ? { paint: () => image.src } : {}) };
}

/** Remembers the newest answer: a mask is painted anew only when other classes are hidden. */
function once(paint: (hidden: readonly string[]) => string): (hidden: readonly string[]) => string {
  let kept: { key: string; href: string } | null = null;
  return (hidden) => {
    const key = hidden.join('\n');
    if (kept?.key !== key) kept = { key, href: paint(hidden) };
    return kept.href;
  };
}

/** A picture of the values in the colours of their classes, at most 2048 pixels long. */
function paintValues(
  { values, width, height }: { values: Pixels } & Size,
  labelOf: (value: number) => string | null,
): string {
  const share = Math.min(1, mostPaintedPx / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * share));
  canvas.height = Math.max(1, Math.round(height * share));
  const context = canvas.getContext('2d');
  if (!context) return '';
  const colours = new Map<number, readonly number[] | null>();
  const colourOf = (value: number) => {
    let colour = colours.get(value);
    if (colour === undefined) {
      const label = labelOf(value);
      colour = label === null ? null : rgbOf(classColour(label));
      colours.set(value, colour);
    }
    return colour;
  };
  const painted = context.createImageData(canvas.width, canvas.height);
  for (let y = 0; y < canvas.height; y++) {
    const row = Math.min(height - 1, Math.floor((y + 0.5) / share)) * width;
    for (let x = 0; x < canvas.width; x++) {
      const colour = colourOf(values[row + Math.min(width - 1, Math.floor((x + 0.5) / share))]!);
      if (colour)
        painted.data.set([colour[0] ?? 0, colour[1] ?? 0, colour[2] ?? 0, 130], (y * canvas.width + x) * 4);
    }
  }
  context.putImageData(painted, 0, 0);
  return canvas.toDataURL();
}
