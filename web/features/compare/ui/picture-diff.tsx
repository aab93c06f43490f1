import {
  Columns2,
  Expand,
  Layers2,
  Maximize,
  Minus,
  Plus,
  SquareSplitHorizontal,
  SunDim,
} from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { cx, Dialog, IconButton, Segmented, Slider } from '../../../ui/index.ts';
import type { MediaAddress } from '../../grid/index.ts';
import { wholePicture, type Zoom, zoomAt } from '../model/pixels.ts';
import styles from './picture-diff.module.css';
import { Frame, type FrameProps, pictureStyle, pointIn, zoomStyle } from './picture-frame.tsx';
import { PixelDifferenceView } from './pixel-difference-view.tsx';

export interface PictureDiffProps {
  label: string;
  before: MediaAddress;
  after: MediaAddress;
  facts: { before: string; after: string };
}

type Way = 'side' | 'swipe' | 'onion' | 'difference';

const ways: { value: Way; label: string; icon: ReactNode; isIconOnly: true }[] = [
  { value: 'side', label: 'Side by side', icon: <Columns2 />, isIconOnly: true },
  { value: 'swipe', label: 'Swipe', icon: <SquareSplitHorizontal />, isIconOnly: true },
  { value: 'onion', label: 'Onion skin', icon: <Layers2 />, isIconOnly: true },
  { value: 'difference', label: 'Difference', icon: <SunDim />, isIconOnly: true },
];

/** Two pictures against each other in four ways, with one zoom for all of them. */
export function PictureDiff(props: PictureDiffProps) {
  const [isLarge, setLarge] = useState(false);
  const [way, setWay] = useState<Way>('side');
  const shared = { ...props, way, onWay: setWay };
  return (
    <>
      <Pictures {...shared} onEnlarge={() => setLarge(true)} />
      {isLarge && (
        <Dialog isOpen onOpenChange={setLarge} title={`${props.label}, old and new`} size="l">
          <Pictures {...shared} isLarge />
        </Dialog>
      )}
    </>
  );
}

interface PicturesProps extends PictureDiffProps {
  way: Way;
  onWay: (way: Way) => void;
  isLarge?: boolean;
  onEnlarge?: () => void;
}

function Pictures({ label, before, after, facts, way, onWay, isLarge, onEnlarge }: PicturesProps) {
  const [zoom, setZoom] = useState<Zoom>(wholePicture);
  const [share, setShare] = useState(0.5);
  const old = isLarge ? before.blob : before.thumb(512);
  const next = isLarge ? after.blob : after.thumb(512);
  const frame = { zoom, onZoom: setZoom, hasWheel: isLarge ?? false };
  return (
    <div className={cx(styles.pictures, isLarge && styles.large)}>
      <div className={styles.tools}>
        <Segmented label={`How to compare ${label}`} value={way} options={ways} onChange={onWay} />
        {way === 'onion' && (
          <Slider
            label="New over old"
            className={styles.slider}
            value={share}
            min={0}
            max={1}
            step={0.01}
            onChange={setShare}
          />
        )}
        <span className={styles.spacer} />
        <IconButton
          label="Zoom out"
          size="s"
          icon={<Minus />}
          isDisabled={zoom.scale <= 1}
          onClick={() => setZoom(zoomAt(zoom, 1 / 1.5, { x: 0, y: 0 }))}
        />
        <IconButton
          label="Zoom in"
          size="s"
          icon={<Plus />}
          onClick={() => setZoom(zoomAt(zoom, 1.5, { x: 0, y: 0 }))}
        />
        <IconButton
          label="Whole picture"
          size="s"
          icon={<Maximize />}
          isDisabled={zoom.scale === 1}
          onClick={() => setZoom(wholePicture)}
        />
        {onEnlarge && <IconButton label="Large" size="s" icon={<Expand />} onClick={onEnlarge} />}
      </div>
      {way === 'side' && (
        <div className={styles.side}>
          <figure className={styles.figure}>
            <Frame {...frame} label={`${label}, old`}>
              <Picture src={old} alt="Old picture" zoom={zoom} />
            </Frame>
            <figcaption className={styles.caption}>
              <span className={styles.oldSign}>−</span> old · {facts.before}
            </figcaption>
          </figure>
          <figure className={styles.figure}>
            <Frame {...frame} label={`${label}, new`}>
              <Picture src={next} alt="New picture" zoom={zoom} />
            </Frame>
            <figcaption className={styles.caption}>
              <span className={styles.newSign}>+</span> new · {facts.after}
            </figcaption>
          </figure>
        </div>
      )}
      {way === 'onion' && (
        <Frame {...frame} label={`${label}, new over old`}>
          <Picture src={old} alt="Old picture" zoom={zoom} />
          <Picture src={next} alt="New picture" zoom={zoom} opacity={share} />
        </Frame>
      )}
      {way === 'swipe' && (
        <Swipe {...frame} label={label} old={old} next={next} share={share} onShare={setShare} />
      )}
      {way === 'difference' && (
        <PixelDifferenceView
          frame={frame}
          label={label}
          before={isLarge ? before.blob : before.thumb(768)}
          after={isLarge ? after.blob : after.thumb(768)}
        />
      )}
    </div>
  );
}

function Picture({
  src,
  alt,
  zoom,
  opacity,
  clip,
}: {
  src: string;
  alt: string;
  zoom: Zoom;
  opacity?: number;
  clip?: string;
}) {
  const [isBroken, setBroken] = useState(false);
  const [ratio, setRatio] = useState<number | null>(null);
  if (isBroken) return <span className={styles.broken}>cannot be shown</span>;
  return (
    <span className={styles.layer} style={{ opacity, clipPath: clip }}>
      <img
        src={src}
        alt={alt}
        decoding="async"
        draggable={false}
        className={styles.picture}
        style={ratio === null ? { opacity: 0 } : { ...pictureStyle(ratio), ...zoomStyle(zoom) }}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setRatio(naturalHeight > 0 ? naturalWidth / naturalHeight : 1)
        }
        onError={() => setBroken(true)}
      />
    </span>
  );
}

interface SwipeProps extends Omit<FrameProps, 'children'> {
  old: string;
  next: string;
  share: number;
  onShare: (share: number) => void;
}

/** Old at the left of a line, new at its right; the line is dragged or moved by arrow keys. */
function Swipe({ label, zoom, onZoom, hasWheel, old, next, share, onShare }: SwipeProps) {
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const frame = event.currentTarget.parentElement;
    if (!frame || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    event.stopPropagation();
    onShare(Math.max(0, Math.min(1, pointIn(frame.getBoundingClientRect(), event).x + 0.5)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -0.05 : event.key === 'ArrowRight' ? 0.05 : 0;
    if (step === 0) return;
    event.preventDefault();
    onShare(Math.max(0, Math.min(1, share + step)));
  };
  return (
    <Frame
      label={`${label}, old left and new right of the line`}
      zoom={zoom}
      onZoom={onZoom}
      hasWheel={hasWheel}
    >
      <Picture src={old} alt="Old picture" zoom={zoom} clip={`inset(0 ${(1 - share) * 100}% 0 0)`} />
      <Picture src={next} alt="New picture" zoom={zoom} clip={`inset(0 0 0 ${share * 100}%)`} />
      <div
        role="slider"
        tabIndex={0}
        aria-label="Line between old and new"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        className={styles.handle}
        style={{ left: `${share * 100}%` }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
      />
    </Frame>
  );
}
