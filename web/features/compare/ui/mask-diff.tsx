import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Segmented } from '../../../ui/index.ts';
import type { MediaAddress } from '../../grid/index.ts';
import { describeMaskChange, type MaskChange, paintMaskChange } from '../model/mask-change.ts';
import { commonSize, type Size, wholePicture, type Zoom } from '../model/pixels.ts';
import annotations from './annotation-diff.module.css';
import { loadPicture, pixelsOf, sizeOf } from './load-picture.ts';
import styles from './picture-diff.module.css';
import { Frame, pictureStyle, zoomStyle } from './picture-frame.tsx';

export interface MaskDiffProps {
  label: string;
  /** The masks; `null` where there is none. */
  before: MediaAddress | null;
  after: MediaAddress | null;
  /** The picture that they are masks of. */
  media: MediaAddress;
  /** The two masks as plain pictures. */
  children: ReactNode;
}

type Shown = 'both' | 'old' | 'new' | 'pictures';

const choices: { value: Shown; label: string }[] = [
  { value: 'both', label: 'Both' },
  { value: 'old', label: 'Old' },
  { value: 'new', label: 'New' },
  { value: 'pictures', label: 'As pictures' },
];

type Outcome = { state: 'waiting' } | { state: 'failed' } | { state: 'done'; change: MaskChange; size: Size };

const readPicture = (address: MediaAddress | null): Promise<HTMLImageElement | null> =>
  address ? loadPicture(address.blob) : Promise.resolve(null);

/** A mask that is stored as a picture, old over new on the picture of its row. */
export function MaskDiff({ label, before, after, media, children }: MaskDiffProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [shown, setShown] = useState<Shown>('both');
  const [zoom, setZoom] = useState<Zoom>(wholePicture);
  const [outcome, setOutcome] = useState<Outcome>({ state: 'waiting' });
  const [old, next, picture] = [before?.blob ?? null, after?.blob ?? null, media.blob];
  // biome-ignore lint/correctness/useExhaustiveDependencies: addresses are made anew on each render; their texts count
  useEffect(() => {
    if (shown === 'pictures') return;
    let isCurrent = true;
    Promise.all([readPicture(before), readPicture(after), loadPicture(media.blob)])
      .then(([was, is, ground]) => {
        if (!isCurrent || !canvas.current) return;
        const either = was ?? is ?? ground;
        const size = commonSize(sizeOf(was ?? either), sizeOf(is ?? either));
        setOutcome({ state: 'done', size, change: draw(canvas.current, { was, is, ground, size, shown }) });
      })
      .catch(() => isCurrent && setOutcome({ state: 'failed' }));
    return () => {
      isCurrent = false;
    };
  }, [old, next, picture, shown]);
  const ratio = outcome.state === 'done' ? outcome.size.width / outcome.size.height : 1;
  const which = (
    <Segmented label={`Which ${label} is drawn`} value={shown} options={choices} onChange={setShown} />
  );
  if (shown === 'pictures')
    return (
      <>
        {which}
        {children}
      </>
    );
  return (
    <figure className={styles.figure}>
      <div className={annotations.stage}>
        {which}
        <Frame label={`${label}, old over new`} zoom={zoom} onZoom={setZoom} hasWheel={false}>
          <span className={styles.layer}>
            <canvas
              ref={canvas}
              className={styles.picture}
              style={{ ...pictureStyle(ratio), ...zoomStyle(zoom) }}
            />
          </span>
        </Frame>
      </div>
      <figcaption className={styles.caption} role="status">
        {outcome.state === 'waiting'
          ? 'Laying the masks over the picture…'
          : outcome.state === 'failed'
            ? 'A mask or its picture cannot be shown.'
            : describeMaskChange(outcome.change)}
      </figcaption>
    </figure>
  );
}

interface Drawing {
  was: HTMLImageElement | null;
  is: HTMLImageElement | null;
  ground: HTMLImageElement;
  size: Size;
  shown: Shown;
}

function draw(canvas: HTMLCanvasElement, { was, is, ground, size, shown }: Drawing): MaskChange {
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.drawImage(ground, 0, 0, size.width, size.height);
  const old = was && pixelsOf(was, size, false);
  const next = is && pixelsOf(is, size, false);
  const paint = context.createImageData(size.width, size.height);
  const change = paintMaskChange(old, next, paint.data);
  if (shown !== 'both') {
    paint.data.fill(0);
    const one = shown === 'old' ? old : next;
    paintMaskChange(shown === 'old' ? one : null, shown === 'new' ? one : null, paint.data);
  }
  const layer = new OffscreenCanvas(size.width, size.height);
  layer.getContext('2d')?.putImageData(paint, 0, 0);
  context.drawImage(layer, 0, 0);
  return change;
}
