import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { Point, Size } from '#shared/domain/annotations/shape.ts';
import type { BlobCell } from '#shared/domain/columns.ts';
import { formatBytes, formatCount } from '../../../ui/format-quantity.ts';
import { cx } from '../../../ui/index.ts';
import { isShownByBrowsers, type MediaAddress } from '../../grid/index.ts';
import type { Placement, View } from '../model/viewport.ts';
import styles from './picture-stage.module.css';
import { type Pixel, readPixel } from './read-pixel.ts';
import { type StageTool, useStagePointer } from './use-stage-pointer.ts';

export interface PictureStageProps {
  address: MediaAddress;
  name: string;
  /** What the cell says of its bytes, where that is known. */
  blob?: BlobCell | null;
  /** In pixels of the upright picture; null until it is known. */
  size: Size | null;
  onSize: (size: Size) => void;
  view: View;
  onView: (view: View) => void;
  hasGrid: boolean;
  tool?: StageTool | null;
  /** The picture itself, for histograms. */
  image?: RefObject<HTMLImageElement | null>;
  onPixel?: (pixel: Pixel | null) => void;
  onDoubleClick?: (at: Point) => void;
  onError: () => void;
  children?: (place: { placement: Placement; stage: Size }) => ReactNode;
}

const gridFrom = 12;
const pixelatedFrom = 5;

/** A picture that is zoomed about the pointer and moved by it, sharp to its pixels, with what is drawn over it. */
export function PictureStage(props: PictureStageProps) {
  const { address, name, size, onSize, view, onView, hasGrid, tool, onPixel, children } = props;
  const ground = useRef<HTMLDivElement>(null);
  const own = useRef<HTMLImageElement>(null);
  const image = props.image ?? own;
  const [isRaw, setRaw] = useState(isShownByBrowsers(props.blob ?? null));
  const [decoded, setDecoded] = useState<Size | null>(null);
  const [isWhole, setWhole] = useState(false);
  const { stage, placement, handlers } = useStagePointer({
    ground,
    size,
    view,
    onView,
    tool,
    onOver: ({ at }) => {
      if (onPixel && size && image.current && isWhole) onPixel(readPixel(image.current, at, size));
    },
  });
  const { scale, x, y } = placement;

  useEffect(() => () => onPixel?.(null), [onPixel]);

  const placed = size
    ? { width: size.width, height: size.height, transform: `translate(${x}px, ${y}px) scale(${scale})` }
    : { opacity: 0 };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys do the same, see the sheet of shortcuts
    <div
      ref={ground}
      className={styles.stage}
      style={{ cursor: tool?.cursor ?? 'grab' }}
      {...handlers}
      onPointerLeave={() => onPixel?.(null)}
      onDoubleClick={(event) => {
        const rect = ground.current!.getBoundingClientRect();
        props.onDoubleClick?.({ x: event.clientX - rect.left, y: event.clientY - rect.top });
      }}
    >
      {!isWhole && size && (
        <img
          src={address.thumb(512)}
          alt=""
          aria-hidden
          draggable={false}
          className={styles.picture}
          style={placed}
        />
      )}
      <img
        key={address.blob}
        ref={image}
        src={isRaw ? address.blob : address.thumb(4096)}
        alt={name}
        draggable={false}
        decoding="async"
        className={cx(styles.picture, styles.checker, scale >= pixelatedFrom && styles.pixelated)}
        style={isWhole ? placed : { ...placed, opacity: 0 }}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          setWhole(true);
          if (isRaw) onSize({ width: naturalWidth, height: naturalHeight });
          else setDecoded({ width: naturalWidth, height: naturalHeight });
        }}
        onError={() => (isRaw ? setRaw(false) : props.onError())}
      />
      {size && hasGrid && scale >= gridFrom && (
        <div
          aria-hidden
          className={styles.grid}
          style={{
            backgroundSize: `${scale}px ${scale}px`,
            backgroundPosition: `${x}px ${y}px`,
            clipPath: `inset(${Math.max(0, y)}px ${Math.max(0, stage.width - x - size.width * scale)}px ${Math.max(0, stage.height - y - size.height * scale)}px ${Math.max(0, x)}px)`,
          }}
        />
      )}
      {size && children?.({ placement, stage })}
      {decoded && isWhole && (
        <p className={styles.note}>{describeDecoded(decoded, size, props.blob ?? null)}</p>
      )}
    </div>
  );
}

/** That it is not the original that is seen, what it was made from, and how much smaller it is. */
function describeDecoded(decoded: Size, size: Size | null, blob: BlobCell | null): string {
  const isSmaller = size !== null && size.width > decoded.width;
  const scale = isSmaller
    ? ` at ${formatCount(decoded.width)} × ${formatCount(decoded.height)} of ${formatCount(size.width)} × ${formatCount(size.height)} pixels`
    : '';
  const original = blob?.sizeBytes
    ? `; the original is ${formatBytes(blob.sizeBytes)} of ${blob.contentType ?? 'unknown type'}`
    : '';
  return `Shown as decoded by Curio${scale}${original}`;
}
