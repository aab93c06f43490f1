import type { Size } from '#shared/domain/annotations/shape.ts';
import { formatBytes, formatCount } from '../../../ui/format-quantity.ts';
import type { Pixel } from './read-pixel.ts';
import styles from './viewer.module.css';

const hex = (rgba: readonly number[]): string =>
  `#${rgba
    .slice(0, 3)
    .map((one) => one.toString(16).padStart(2, '0'))
    .join('')}`;

/** The pixel under the pointer, and how large the picture is. */
export function PixelReadout({
  pixel,
  size,
  shown,
}: {
  pixel: Pixel | null;
  size: Size | null;
  shown: number;
}) {
  return (
    <footer className={styles.foot}>
      <span>
        {size
          ? `${formatCount(size.width)} × ${formatCount(size.height)} · ${formatBytes(shown)}`
          : formatBytes(shown)}
      </span>
      <span className={styles.pixel}>
        {pixel ? (
          <>
            <span>
              x {pixel.x} y {pixel.y}
            </span>
            {pixel.rgba && (
              <>
                <span className={styles.colour} style={{ background: hex(pixel.rgba) }} />
                <span>
                  {hex(pixel.rgba)} · R {pixel.rgba[0]} G {pixel.rgba[1]} B {pixel.rgba[2]}
                  {pixel.rgba[3] < 255 && ` A ${pixel.rgba[3]}`}
                </span>
              </>
            )}
          </>
        ) : (
          <span className={styles.faint}>
            Point at a pixel to read it; values as the browser shows them, in sRGB
          </span>
        )}
      </span>
    </footer>
  );
}
