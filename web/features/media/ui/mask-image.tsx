import { useEffect, useMemo, useRef } from 'react';
import { paintMask } from '#shared/domain/annotations/rle.ts';
import type { MaskShape } from '#shared/domain/annotations/shape.ts';

const mostPx = 1024;

/** A mask of runs in the colour of its class, painted at its own size up to 1024 pixels. */
export function MaskImage({ mask }: { mask: MaskShape }) {
  const { width, height } = mask;
  const share = Math.min(1, mostPx / Math.max(width, height));
  const size = useMemo(
    () => ({
      width: Math.max(1, Math.round(width * share)),
      height: Math.max(1, Math.round(height * share)),
    }),
    [width, height, share],
  );
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    const [red = 255, green = 255, blue = 255] = rgbOf(getComputedStyle(element).color);
    const painted = paintMask(mask, size);
    const image = context.createImageData(size.width, size.height);
    painted.forEach((isSet, at) => {
      if (isSet) image.data.set([red, green, blue, isEdge(painted, at, size) ? 255 : 105], at * 4);
    });
    context.putImageData(image, 0, 0);
  }, [mask, size]);
  return (
    <foreignObject x={0} y={0} width={width} height={height}>
      <canvas
        ref={canvas}
        width={size.width}
        height={size.height}
        style={{
          display: 'block',
          width: '100%',
          height: '100%',
          color: 'var(--stroke)',
          imageRendering: 'pixelated',
        }}
      />
    </foreignObject>
  );
}

function isEdge(
  painted: Uint8Array,
  at: number,
  { width, height }: { width: number; height: number },
): boolean {
  const x = at % width;
  const y = (at - x) / width;
  return (
    (x > 0 && !painted[at - 1]) ||
    (x < width - 1 && !painted[at + 1]) ||
    (y > 0 && !painted[at - width]) ||
    (y < height - 1 && !painted[at + width])
  );
}

/** A computed colour as three numbers, by painting one pixel with it. */
export function rgbOf(colour: string): number[] {
  const probe = document.createElement('canvas');
  probe.width = 1;
  probe.height = 1;
  const context = probe.getContext('2d');
  if (!context) return [];
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
}
