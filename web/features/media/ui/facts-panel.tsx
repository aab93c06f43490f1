import { type RefObject, useEffect, useState } from 'react';
import type { Size } from '#shared/domain/annotations/shape.ts';
import { formatBytes, formatCount } from '../../../ui/format-quantity.ts';
import { ErrorNote } from '../../../ui/index.ts';
import { countPixels, type Histogram, histogramPath } from '../model/histogram.ts';
import { type MediaPlace, useMediaFacts } from '../queries.ts';
import styles from './panel.module.css';

/** What a picture or another medium says about itself: size, histogram, EXIF. */
export function FactsPanel({
  place,
  size,
  image,
}: {
  place: MediaPlace;
  /** Known once the picture is there. */
  size: Size | null;
  image: RefObject<HTMLImageElement | null> | null;
}) {
  const facts = useMediaFacts(place, true);
  const shown = facts.data;
  return (
    <>
      {image && size && (
        <HistogramSection image={image} key={`${place.rowId}/${place.column}/${place.ref}`} />
      )}
      <section className={styles.section} aria-label="Facts">
        <h2>{place.column}</h2>
        <ErrorNote error={facts.error} title="Its facts cannot be read." />
        {shown && (
          <dl className={styles.facts}>
            {shown.width !== null && shown.height !== null && (
              <Fact name="pixels">
                {formatCount(shown.width)} × {formatCount(shown.height)} ·{' '}
                {((shown.width * shown.height) / 1e6).toFixed(1)} MP
              </Fact>
            )}
            {shown.pages !== undefined && <Fact name="pages">{formatCount(shown.pages)}</Fact>}
            <Fact name="type">{shown.contentType}</Fact>
            <Fact name="bytes">{formatBytes(shown.sizeBytes)}</Fact>
            {shown.facts.map(({ name, value }) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </dl>
        )}
        {shown &&
          shown.width !== null &&
          !shown.facts.some(({ name }) => name === 'camera' || name === 'taken') && (
            <p className={styles.note}>It has no EXIF of a camera.</p>
          )}
      </section>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const mostPixels = 2_000_000;
const height = 64;

function HistogramSection({ image }: { image: RefObject<HTMLImageElement | null> }) {
  const [counted, setCounted] = useState<{ histogram: Histogram; isWhole: boolean; size: Size } | null>(null);
  useEffect(() => {
    let isOver = false;
    const element = image.current;
    if (!element) return;
    const count = () => {
      const found = countShown(element);
      if (!isOver && found) setCounted(found);
    };
    if (element.complete && element.naturalWidth > 0) {
      const idle = setTimeout(count, 60);
      return () => {
        isOver = true;
        clearTimeout(idle);
      };
    }
    element.addEventListener('load', count, { once: true });
    return () => {
      isOver = true;
      element.removeEventListener('load', count);
    };
  }, [image]);
  if (!counted) return null;
  const { histogram, isWhole, size } = counted;
  const { red, green, blue, dark, bright } = histogram;
  const most = Math.max(...[red, green, blue].flatMap((channel) => [...channel]));
  const percent = (share: number) => `${(share * 100).toFixed(1)}\u00a0%`;
  return (
    <section className={styles.section} aria-label="Histogram">
      <svg
        role="img"
        aria-label="Histogram of red, green and blue"
        viewBox={`0 0 255 ${height}`}
        preserveAspectRatio="none"
        className={styles.histogram}
      >
        <path d={histogramPath(red, height, most)} fill="oklch(0.6 0.22 25)" />
        <path d={histogramPath(green, height, most)} fill="oklch(0.6 0.19 145)" />
        <path d={histogramPath(blue, height, most)} fill="oklch(0.55 0.22 260)" />
      </svg>
      <p className={styles.note}>
        {isWhole
          ? `All ${formatCount(histogram.pixels)} pixels`
          : `The picture reduced to ${formatCount(size.width)} × ${formatCount(size.height)}`}
        , heights by square root · black {percent(dark)} · white {percent(bright)}
      </p>
    </section>
  );
}

function countShown(image: HTMLImageElement): { histogram: Histogram; isWhole: boolean; size: Size } | null {
  const { naturalWidth, naturalHeight } = image;
  const share = Math.min(1, Math.sqrt(mostPixels / Math.max(1, naturalWidth * naturalHeight)));
  const size = {
    width: Math.max(1, Math.round(naturalWidth * share)),
    height: Math.max(1, Math.round(naturalHeight * share)),
  };
  const canvas = Object.assign(document.createElement('canvas'), size);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  try {
    context.drawImage(image, 0, 0, size.width, size.height);
    return {
      histogram: countPixels(context.getImageData(0, 0, size.width, size.height).data),
      isWhole: share === 1,
      size,
    };
  } catch {
    return null;
  }
}
