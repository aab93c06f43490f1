import { useEffect, useState } from 'react';
import { classColour } from '#shared/domain/annotations/class-colour.ts';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import { type GridRow, type MediaOf, readBlobCell } from '../../grid/index.ts';
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
  /** The mask in the colours of its classes, those hidden left out. */
  paint: (hidden: readonly string[]) => string;
}

const mostClasses = 512;

/** Masks of a row that are pictures of their own. */
export function usePictureMasks(
  layouts: readonly AnnotationLayout[],
  row: GridRow | undefined,
  media: MediaOf,
): PictureMask[] {
  const wanted = layouts
    .filter(({ many }) => many === 'picture')
    .flatMap((layout) => {
      const cell = row ? readBlobCell(row.value(layout.column)) : null;
      const address = row && cell ? media(row, layout.column) : null;
      return address ? [{ layout, src: address.blob }] : [];
    });
  const key = wanted.map(({ src }) => src).join('\n');
  const [masks, setMasks] = useState<{ key: string; list: PictureMask[] }>({ key: '', list: [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the addresses say all that matters
  useEffect(() => {
    let isOver = false;
    if (wanted.length === 0) return;
    void Promise.all(wanted.map(({ layout, src }) => readMask(layout, src).catch(() => null))).then(
      (list) => {
        if (!isOver) setMasks({ key, list: list.filter((one) => one !== null) });
      },
    );
    return () => {
      isOver = true;
    };
  }, [key]);
  return masks.key === key ? masks.list : [];
}

async function readMask({ column, classes }: AnnotationLayout, src: string): Promise<PictureMask> {
  const image = new Image();
  image.src = src;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('There is no canvas.');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length && counts.size <= mostClasses; at += 4) {
    const value = valueAt(data, at);
    if (value !== 0) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const labelOf = (value: number) => labelOfValue(value, classes);
  return {
    name: column,
    width: canvas.width,
    height: canvas.height,
    isPlain: counts.size > mostClasses,
    classes:
      counts.size > mostClasses
        ? []
        : [...counts]
            .map(([value, pixels]) => ({ label: labelOf(value), pixels }))
            .sort((a, b) => b.pixels - a.pixels),
    paint: (hidden) => {
      if (counts.size > mostClasses) return src;
      const colours = new Map([...counts.keys()].map((value) => [value, rgbOf(classColour(labelOf(value)))]));
      const painted = context.createImageData(canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4) {
        const value = valueAt(data, at);
        if (value === 0 || hidden.includes(labelOf(value))) continue;
        const [red = 0, green = 0, blue = 0] = colours.get(value) ?? [];
        painted.data.set([red, green, blue, 130], at);
      }
      context.putImageData(painted, 0, 0);
      return canvas.toDataURL();
    },
  };
}

/** The colour of a pixel as one number; 0 where it is black or transparent. */
const valueAt = (data: Uint8ClampedArray, at: number): number =>
  data[at + 3] === 0 ? 0 : (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!;

/** Grey values are the numbers of classes; other colours are their own names. */
function labelOfValue(value: number, classes: AnnotationLayout['classes']): string {
  const [red, green, blue] = [value >> 16, (value >> 8) & 255, value & 255];
  if (red === green && green === blue) return classes?.[red] ?? String(red);
  return `#${value.toString(16).padStart(6, '0')}`;
}
