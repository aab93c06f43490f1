import { useState } from 'react';
import { CellValue, formatJson, formatValue, type GridColumn, type MediaAddress } from '../../grid/index.ts';
import styles from './differs.module.css';

export interface FullValueProps {
  column: GridColumn;
  value: unknown;
  media: MediaAddress | null;
  /** Height of pictures. */
  pictureHeightPx?: number;
}

const clampedChars = 420;

/** A value with nothing left out that matters: long text opens, pictures are large enough to see. */
export function FullValue({ column, value, media, pictureHeightPx = 120 }: FullValueProps) {
  if (value === null || value === undefined) return <span className={styles.null}>null</span>;
  switch (column.kind) {
    case 'text':
    case 'url':
      return <LongText text={formatValue(value, column.parsed)} />;
    case 'struct':
    case 'json':
      return (
        <LongText
          text={formatJson(value, column.kind === 'json' ? { kind: 'json' } : column.parsed, 1)}
          isCode
        />
      );
    case 'media':
      return (
        <span className={styles.media} style={{ height: pictureHeightPx }}>
          <CellValue
            column={column}
            value={value}
            media={media}
            widthPx={pictureHeightPx * 2}
            heightPx={pictureHeightPx}
          />
        </span>
      );
    case 'vector':
      return (
        <span className={styles.vector}>
          <CellValue column={column} value={value} media={null} widthPx={240} heightPx={36} />
        </span>
      );
    case 'list':
      return <CellValue column={column} value={value} media={null} widthPx={480} heightPx={90} />;
    default:
      return <CellValue column={column} value={value} media={null} widthPx={480} heightPx={24} />;
  }
}

function LongText({ text, isCode }: { text: string; isCode?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  if (text === '') return <span className={styles.null}>empty</span>;
  const isLong = text.length > clampedChars;
  return (
    <span className={isCode ? styles.code : styles.text}>
      {isLong && !isOpen ? `${text.slice(0, clampedChars)}…` : text}
      {isLong && (
        <button type="button" className={styles.more} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'less' : 'all of it'}
        </button>
      )}
    </span>
  );
}
