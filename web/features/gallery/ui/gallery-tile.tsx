import { Check, FileQuestion, ImageOff, Pause, Play } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { cx } from '../../../ui/index.ts';
import {
  formatNumber,
  formatTimeForCell,
  formatValue,
  type GridColumn,
  type GridRow,
  type MediaAddress,
  readBlobCell,
  readMediaReason,
  sizeOfCell,
} from '../../grid/index.ts';
import styles from './gallery.module.css';
import { TileOverlay } from './tile-overlay.tsx';

export interface GalleryTileProps {
  index: number;
  row: GridRow | undefined;
  total: number;
  column: string;
  media: MediaAddress | null;
  captions: readonly GridColumn[];
  widthPx: number;
  heightPx: number;
  thumbPx: number;
  isSelected: boolean;
  isActive: boolean;
  isKnown: boolean;
}

const captionText = (row: GridRow, column: GridColumn): string => {
  const value = row.value(column.name);
  if (value === null || value === undefined) return 'null';
  if (column.kind === 'number') return formatNumber(value, column.parsed);
  if (column.kind === 'time') return formatTimeForCell(value, column.parsed);
  return formatValue(value, column.parsed) || 'empty';
};

/** One picture, video or sound with its caption and its mark. */
export const GalleryTile = memo(function GalleryTile(props: GalleryTileProps) {
  const { index, row, total, column, captions, widthPx, heightPx, isSelected, isActive } = props;
  const cell = row ? readBlobCell(row.value(column)) : null;
  const texts = row ? captions.map((caption) => captionText(row, caption)) : [];
  const [isOver, setOver] = useState(false);
  return (
    <div
      role="listitem"
      aria-setsize={total}
      aria-posinset={index + 1}
      aria-current={isActive ? 'true' : undefined}
      data-index={index}
      className={cx(styles.tile, isSelected && styles.selected, isActive && styles.active)}
      style={{ width: widthPx }}
    >
      <div
        className={styles.picture}
        style={{ height: heightPx }}
        onPointerEnter={() => setOver(true)}
        onPointerLeave={() => setOver(false)}
      >
        {row && props.isKnown && <Picture {...props} cell={cell} alt={texts[0] ?? `Row ${index + 1}`} />}
        {row && props.isKnown && cell?.kind === 'image' && (
          <TileOverlay row={row} media={column} isOver={isOver} />
        )}
        {row && (
          <button
            type="button"
            role="checkbox"
            tabIndex={-1}
            aria-checked={isSelected}
            aria-label={`Select row ${index + 1}`}
            data-mark=""
            className={styles.mark}
          >
            {isSelected && <Check size={13} strokeWidth={3} aria-hidden />}
          </button>
        )}
      </div>
      {captions.map((caption, at) => (
        <div key={caption.name} className={cx(styles.caption, at > 0 && styles.second)} title={texts[at]}>
          {texts[at] ?? ''}
        </div>
      ))}
    </div>
  );
});

function Picture({
  cell,
  media,
  alt,
  thumbPx,
}: GalleryTileProps & { cell: ReturnType<typeof readBlobCell>; alt: string }) {
  const [failure, setFailure] = useState<string | null>(null);
  if (!cell || !media) return <span className={styles.nothing}>null</span>;
  if (failure !== null) {
    const explain = () =>
      void readMediaReason(media.thumb(thumbPx)).then(
        (reason) => reason && setFailure(`${reason.message} ${reason.hint ?? ''}`.trim()),
        () => undefined,
      );
    return (
      <span className={styles.nothing} title={failure} onPointerEnter={explain}>
        <ImageOff size={20} aria-label={`${alt}: cannot be shown`} />
        {cell.contentType ?? cell.kind} · {sizeOfCell(cell)}
      </span>
    );
  }
  if (cell.kind === 'other') {
    return (
      <span className={styles.nothing}>
        <FileQuestion size={20} aria-hidden />
        {cell.contentType ?? cell.kind} · {sizeOfCell(cell)}
      </span>
    );
  }
  const image = (
    <img
      src={media.thumb(thumbPx)}
      alt={alt}
      className={cell.kind === 'text' || cell.kind === 'model' ? styles.page : undefined}
      draggable={false}
      decoding="async"
      onError={() => setFailure(`This ${cell.kind} cannot be shown.`)}
    />
  );
  if (cell.kind !== 'video' && cell.kind !== 'audio') return image;
  return cell.kind === 'video' ? (
    <HoverVideo src={media.blob}>{image}</HoverVideo>
  ) : (
    <Sound src={media.blob} name={alt}>
      {image}
    </Sound>
  );
}

/** The poster; the video itself, silent, while the pointer is on it. */
function HoverVideo({ src, children }: { src: string; children: React.ReactNode }) {
  const [isPlaying, setPlaying] = useState(false);
  return (
    <span
      className={styles.moving}
      onPointerEnter={() => setPlaying(true)}
      onPointerLeave={() => setPlaying(false)}
    >
      {children}
      {isPlaying ? (
        <video src={src} muted loop autoPlay playsInline />
      ) : (
        <Play className={styles.play} aria-hidden />
      )}
    </span>
  );
}

let current: HTMLAudioElement | null = null;

function Sound({ src, name, children }: { src: string; name: string; children: React.ReactNode }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    const element = audio.current;
    return () => element?.pause();
  }, []);
  const toggle = () => {
    const element = audio.current;
    if (!element) return;
    if (!element.paused) return element.pause();
    current?.pause();
    current = element;
    void element.play().catch(() => setPlaying(false));
  };
  return (
    <span className={styles.sound}>
      {children}
      <button
        type="button"
        tabIndex={-1}
        className={styles.playButton}
        aria-label={isPlaying ? `Pause ${name}` : `Play ${name}`}
        onClick={toggle}
        data-keep=""
      >
        {isPlaying ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
      </button>
      {/* biome-ignore lint/a11y/useMediaCaption: sounds of the person's own data have no captions */}
      <audio
        ref={audio}
        src={src}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
      />
    </span>
  );
}
