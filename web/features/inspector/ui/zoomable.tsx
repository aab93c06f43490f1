import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './inspector.module.css';

const most = 16;

/** A ground on which the picture is zoomed by the wheel or a pinch and dragged; a double click goes in and back. */
export function Zoomable({ isEnabled, children }: { isEnabled: boolean; children: ReactNode }) {
  const ground = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scale: 1, x: 0, y: 0 });
  const drag = useRef<{ x: number; y: number } | null>(null);

  useEffect(() => {
    const element = ground.current;
    if (!element || !isEnabled) {
      setView({ scale: 1, x: 0, y: 0 });
      return;
    }
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const rect = element.getBoundingClientRect();
      const at = {
        x: event.clientX - rect.left - rect.width / 2,
        y: event.clientY - rect.top - rect.height / 2,
      };
      setView((before) =>
        zoomAt(before, at, before.scale * Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015))),
      );
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [isEnabled]);

  const onPointerDown = (event: PointerEvent) => {
    if (!isEnabled || view.scale === 1) return;
    drag.current = { x: event.clientX - view.x, y: event.clientY - view.y };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: zooming by pointer; the whole picture is there without it
    <div
      ref={ground}
      className={styles.zoom}
      style={{ cursor: isEnabled && view.scale > 1 ? 'grab' : undefined }}
      onPointerDown={onPointerDown}
      onPointerMove={(event) =>
        drag.current &&
        setView({ ...view, x: event.clientX - drag.current.x, y: event.clientY - drag.current.y })
      }
      onPointerUp={() => {
        drag.current = null;
      }}
      onDoubleClick={() =>
        isEnabled && setView(view.scale > 1 ? { scale: 1, x: 0, y: 0 } : { scale: 3, x: 0, y: 0 })
      }
    >
      <div
        className={styles.zoomed}
        style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
      >
        {children}
      </div>
    </div>
  );
}

interface ZoomView {
  scale: number;
  x: number;
  y: number;
}

/** The view after zooming to a scale while the point under the pointer stays where it is. */
export function zoomAt(view: ZoomView, at: { x: number; y: number }, wanted: number): ZoomView {
  const scale = Math.max(1, Math.min(most, wanted));
  if (scale === 1) return { scale: 1, x: 0, y: 0 };
  const factor = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor };
}
