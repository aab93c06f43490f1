import { useEffect, useRef, useState } from 'react';
import { commonSize, diffPixels, type PixelDifference, type Size } from '../model/pixels.ts';
import { loadPicture, pixelsOf, sizeOf } from './load-picture.ts';
import styles from './picture-diff.module.css';
import { Frame, type FrameProps, pictureStyle, zoomStyle } from './picture-frame.tsx';

export interface PixelDifferenceViewProps {
  frame: Pick<FrameProps, 'zoom' | 'onZoom' | 'hasWheel'>;
  label: string;
  before: string;
  after: string;
}

type Outcome =
  | { state: 'waiting' }
  | { state: 'failed' }
  | { state: 'done'; difference: PixelDifference; size: Size; before: Size; after: Size };

function draw(canvas: HTMLCanvasElement, old: HTMLImageElement, next: HTMLImageElement): PixelDifference {
  const size = commonSize(sizeOf(old), sizeOf(next));
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  const result = context.createImageData(size.width, size.height);
  const difference = diffPixels(pixelsOf(old, size), pixelsOf(next, size), result.data);
  context.putImageData(result, 0, 0);
  return difference;
}

/** Where two pictures differ, pixel by pixel, with the share that does. */
export function PixelDifferenceView({ frame, label, before, after }: PixelDifferenceViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [outcome, setOutcome] = useState<Outcome>({ state: 'waiting' });
  useEffect(() => {
    let isCurrent = true;
    Promise.all([loadPicture(before), loadPicture(after)])
      .then(([old, next]) => {
        if (!isCurrent || !canvas.current) return;
        setOutcome({
          state: 'done',
          difference: draw(canvas.current, old, next),
          size: commonSize(sizeOf(old), sizeOf(next)),
          before: sizeOf(old),
          after: sizeOf(next),
        });
      })
      .catch(() => isCurrent && setOutcome({ state: 'failed' }));
    return () => {
      isCurrent = false;
    };
  }, [before, after]);
  const ratio = outcome.state === 'done' ? outcome.size.width / outcome.size.height : 1;
  return (
    <figure className={styles.figure}>
      <Frame {...frame} label={`${label}, where old and new differ`}>
        <span className={styles.layer}>
          <canvas
            ref={canvas}
            className={styles.picture}
            style={{ ...pictureStyle(ratio), ...zoomStyle(frame.zoom) }}
          />
        </span>
      </Frame>
      <figcaption className={styles.caption} role="status">
        {sentenceOf(outcome)}
      </figcaption>
    </figure>
  );
}

function sentenceOf(outcome: Outcome): string {
  if (outcome.state === 'waiting') return 'Comparing…';
  if (outcome.state === 'failed') return 'One of the pictures cannot be shown, so they cannot be compared.';
  const { difference, before, after } = outcome;
  const percent = difference.changedShare * 100;
  const share =
    difference.largest === 0
      ? 'Pixel for pixel the same'
      : percent === 0
        ? 'Only noise of the encoding differs'
        : `${percent < 0.1 ? '<0.1' : percent.toFixed(1)} % of the pixels differ`;
  const sizes =
    before.width === after.width && before.height === after.height
      ? ''
      : ` · ${before.width} × ${before.height} → ${after.width} × ${after.height} as shown here`;
  return share + sizes;
}
