import type { GridColumn, GridRow } from '../../grid/index.ts';

const measured = new Map<string, number>();

const keyOf = (src: string): string => src.replace(/[?&]size=\d+/, '');

export const rememberAspect = (src: string, aspect: number): void => void measured.set(keyOf(src), aspect);

export const recallAspect = (src: string): number | undefined => measured.get(keyOf(src));

/** The columns that say how wide and tall a row's picture is: `width` and `height`, or two that end like that. */
export function sizeColumnsOf(columns: readonly GridColumn[]): { width: string; height: string } | null {
  const numbers = columns.filter((column) => column.kind === 'number').map((column) => column.name);
  for (const name of numbers) {
    const match = /^(.*?)width$/i.exec(name);
    const height =
      match && numbers.find((other) => other.toLowerCase() === `${match[1] ?? ''}height`.toLowerCase());
    if (height) return { width: name, height };
  }
  return null;
}

/** What a row itself says about its picture's shape. */
export function statedAspect(
  row: GridRow,
  sizes: { width: string; height: string } | null,
): number | undefined {
  if (!sizes) return undefined;
  const width = Number(row.value(sizes.width) ?? Number.NaN);
  const height = Number(row.value(sizes.height) ?? Number.NaN);
  return width > 0 && height > 0 ? width / height : undefined;
}

/** Loads a picture far enough to know its shape; 4:3 where there is none. */
export function measureAspect(src: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const image = new Image();
    const settle = (aspect: number) => {
      rememberAspect(src, aspect);
      resolve(aspect);
    };
    image.onload = () => settle(image.naturalWidth / Math.max(1, image.naturalHeight));
    image.onerror = () => settle(4 / 3);
    signal.addEventListener('abort', () => {
      image.onload = null;
      image.onerror = null;
      image.src = '';
      resolve(4 / 3);
    });
    image.decoding = 'async';
    image.src = src;
  });
}
