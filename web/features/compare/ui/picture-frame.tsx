import { type PointerEvent, type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../../../ui/index.ts';
import { panBy, wholePicture, type Zoom, zoomAt } from '../model/pixels.ts';
import styles from './picture-diff.module.css';

export interface FrameProps {
  label: string;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
  /** The wheel zooms; in a list it scrolls, and zooms only with Ctrl. */
  hasWheel: boolean;
  children: ReactNode;
}

/** Where a pointer is, in shares of a box from its middle. */
export const pointIn = (box: DOMRect, event: { clientX: number; clientY: number }) => ({
  x: (event.clientX - box.left) / box.width - 0.5,
  y: (event.clientY - box.top) / box.height - 0.5,
});

/** Where a picture is seen: drag moves it, the wheel or + and − zoom it, all frames together. */
export function Frame({ label, zoom, onZoom, hasWheel, children }: FrameProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef({ zoom, onZoom });
  latest.current = { zoom, onZoom };
  useEffect(() => {
    const element = box.current;
    const onWheel = (event: WheelEvent) => {
      if (!hasWheel && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { zoom: now, onZoom: tell } = latest.current;
      tell(zoomAt(now, Math.exp(-event.deltaY / 300), pointIn(element!.getBoundingClientRect(), event)));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [hasWheel]);
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (zoom.scale > 1) event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { width, height } = event.currentTarget.getBoundingClientRect();
    onZoom(panBy(zoom, event.movementX / width, event.movementY / height));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons above do the same
    <div
      ref={box}
      className={cx(styles.frame, zoom.scale > 1 && styles.movable)}
      title={hasWheel ? label : `${label}; zoom with Ctrl and the wheel`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onDoubleClick={(event) =>
        onZoom(
          zoom.scale > 1
            ? wholePicture
            : zoomAt(zoom, 3, pointIn(event.currentTarget.getBoundingClientRect(), event)),
        )
      }
    >
      {children}
    </div>
  );
}

/** The size of a picture that fits its frame as a whole. */
export const pictureStyle = (ratio: number) => ({
  width: `min(100cqw, ${100 * ratio}cqh)`,
  aspectRatio: ratio,
});

/** How a picture stands in its frame. */
export const zoomStyle = ({ scale, x, y }: Zoom) => ({
  transform: `translate(${x * 100}cqw, ${y * 100}cqh) scale(${scale})`,
});
