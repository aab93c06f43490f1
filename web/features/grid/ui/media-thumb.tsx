import { AudioLines, File as FileIcon, FileText, ImageOff, Play } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { BlobCell } from '#shared/domain/columns.ts';
import { cx } from '../../../ui/cx.ts';
import { readMediaReason } from '../model/media-reason.ts';
import { sizeOfCell } from '../model/read-blob-cell.ts';
import styles from './cells.module.css';

export interface MediaThumbProps {
  cell: BlobCell;
  /** Address of the small picture. */
  src: string | null;
  /** Height that it takes; its width is at most `widthPx`. */
  heightPx: number;
  widthPx: number;
  /** What it is and how large, unless said better. */
  alt?: string;
}

/** Below this a page of text is grey dust. */
const pageHeightPx = 48;

/** A picture, poster, waveform or page in a place of fixed size; where there is none, what the bytes are. */
export function MediaThumb({ cell, src, heightPx, widthPx, alt }: MediaThumbProps) {
  const isPage = cell.kind === 'text' || cell.kind === 'pdf';
  const hasPicture = isPage ? heightPx >= pageHeightPx : cell.kind !== 'other';
  const [failure, setFailure] = useState<string | null>(null);
  const isSettled = useSettled();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address may well have a picture
  useEffect(() => setFailure(null), [src]);
  if (!hasPicture || !src) {
    const Icon = isPage ? FileText : FileIcon;
    return (
      <span className={styles.file} title={cell.contentType ?? undefined}>
        <Icon size={14} aria-hidden />
        {cell.kind === 'other' ? (cell.contentType?.split('/').at(-1) ?? 'bytes') : cell.kind} ·{' '}
        {sizeOfCell(cell)}
      </span>
    );
  }
  if (failure !== null) {
    return (
      <span
        className={styles.broken}
        title={failure}
        style={{ height: heightPx }}
        onPointerEnter={() => void readReason(src, failure).then(setFailure)}
      >
        <ImageOff size={heightPx > 40 ? 18 : 14} aria-label={`This ${cell.kind} cannot be shown`} />
      </span>
    );
  }
  return (
    <span
      className={cx(
        styles.thumb,
        cell.kind === 'audio' && styles.wave,
        cell.kind === 'model' && styles.solid,
      )}
      style={{ height: heightPx, maxWidth: widthPx }}
    >
      {isSettled && (
        <img
          src={src}
          alt={alt ?? `${cell.kind}, ${sizeOfCell(cell)}`}
          decoding="async"
          draggable={false}
          onError={() => setFailure(`This ${cell.kind} cannot be shown.`)}
        />
      )}
      {cell.kind === 'video' && <Play className={styles.play} size={heightPx > 40 ? 16 : 10} aria-hidden />}
      {cell.kind === 'audio' && heightPx < 24 && <AudioLines size={14} aria-hidden />}
    </span>
  );
}

const settleMs = 40;

/** False for the first instant, so that rows that fly past ask for no pictures. */
function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settleMs);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}

async function readReason(src: string, fallback: string): Promise<string> {
  const reason = await readMediaReason(src).catch(() => null);
  return reason ? [reason.message, reason.hint].filter(Boolean).join(' ') : fallback;
}
