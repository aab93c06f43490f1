import { Check, ExternalLink, Minus } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { cx } from '../../../ui/cx.ts';
import { formatBytes } from '../../../ui/format-quantity.ts';
import {
  formatJson,
  formatNumber,
  formatTime,
  formatTimeForCell,
  formatValue,
  personZone,
  showControls,
} from '../model/format-value.ts';
import type { GridColumn } from '../model/grid-column.ts';
import type { MediaAddress } from '../model/media-address.ts';
import { readBlobCell } from '../model/read-blob-cell.ts';
import styles from './cells.module.css';
import { MediaThumb } from './media-thumb.tsx';
import { VectorSpark } from './vector-spark.tsx';

export interface CellValueProps {
  value: unknown;
  column: GridColumn;
  /** Of media cells. */
  media?: MediaAddress | null;
  widthPx: number;
  heightPx: number;
}

const lineHeightPx = 18;
const averageCharPx = 6.6;
const mostChars = 600;

/** One value in its typed look, in a box of the given size. */
export const CellValue = memo(function CellValue({
  value,
  column,
  media,
  widthPx,
  heightPx,
}: CellValueProps): ReactNode {
  if (value === null || value === undefined) return <span className={styles.null}>null</span>;
  switch (column.kind) {
    case 'media': {
      const cell = readBlobCell(value);
      if (!cell)
        return ArrayBuffer.isView(value) ? (
          <Bytes value={value as Uint8Array} />
        ) : (
          <span className={styles.null}>null</span>
        );
      const padPx = heightPx > 32 ? 8 : 4;
      return (
        <MediaThumb
          cell={cell}
          src={media?.thumb(Math.max(heightPx, widthPx > heightPx * 2 ? widthPx / 2 : 0)) ?? null}
          heightPx={heightPx - padPx}
          widthPx={widthPx}
        />
      );
    }
    case 'number':
      return (
        <span
          className={cx(styles.number, Number.isNaN(value) && styles.nan)}
          title={
            typeof value === 'number' && !Number.isInteger(value)
              ? formatValue(value, column.parsed)
              : undefined
          }
        >
          {formatNumber(value, column.parsed)}
        </span>
      );
    case 'bool':
      return (
        <span className={cx(styles.bool, !value && styles.faint)}>
          {value ? <Check size={14} aria-hidden /> : <Minus size={14} aria-hidden />}
          {value ? 'true' : 'false'}
        </span>
      );
    case 'time':
      return (
        <time className={styles.time} title={timeTitle(value, column)}>
          {formatTimeForCell(value, column.parsed)}
        </time>
      );
    case 'list':
      return <Tags value={value} column={column} heightPx={heightPx} />;
    case 'vector':
      return <VectorSpark values={value as ArrayLike<number>} widthPx={widthPx} heightPx={heightPx - 8} />;
    case 'struct':
    case 'json':
      return <Text text={formatJson(value, column.parsed)} widthPx={widthPx} heightPx={heightPx} isCode />;
    case 'binary':
      return <Bytes value={value as Uint8Array} />;
    case 'url':
      return <Url text={String(value)} />;
    case 'text':
      return <Text text={formatValue(value, column.parsed)} widthPx={widthPx} heightPx={heightPx} />;
  }
});

const timeTitle = (value: unknown, column: GridColumn): string => {
  const exact = formatTime(value, column.parsed);
  const type = column.parsed;
  return type.kind === 'timestamp' && type.timezone !== null ? `${exact} · shown in ${personZone()}` : exact;
};

function Text({
  text,
  widthPx,
  heightPx,
  isCode,
}: {
  text: string;
  widthPx: number;
  heightPx: number;
  isCode?: boolean;
}) {
  if (text === '') return <span className={styles.null}>empty</span>;
  if (/^#[0-9a-f]{6}$/i.test(text)) return <Colour text={text} />;
  const lines = Math.max(1, Math.floor((heightPx - 6) / lineHeightPx));
  const isLong = text.length * averageCharPx * (isCode ? 1.12 : 1) > (widthPx - 8) * lines;
  const shown = showControls(text.length > mostChars ? text.slice(0, mostChars) : text);
  return (
    <span
      className={cx(
        lines === 1 ? styles.line : styles.lines,
        isLong && (lines === 1 ? styles.fading : styles.sinking),
        isCode && styles.code,
      )}
      style={lines === 1 ? undefined : { maxHeight: lines * lineHeightPx }}
    >
      {shown}
    </span>
  );
}

const Colour = ({ text }: { text: string }) => (
  <span className={styles.colour}>
    <span className={styles.swatch} style={{ background: text }} />
    {text}
  </span>
);

function Tags({ value, column, heightPx }: { value: unknown; column: GridColumn; heightPx: number }) {
  const items = Array.from(value as ArrayLike<unknown>);
  const type = column.parsed;
  if (items.length === 0) return <span className={styles.null}>no items</span>;
  const item = 'item' in type ? type.item : { kind: 'utf8' as const };
  return (
    <span
      className={cx(styles.tags, heightPx > 60 && styles.tagsWrap)}
      style={{ maxHeight: heightPx - 6 }}
      title={items.length > 3 ? `${items.length} items` : undefined}
    >
      {items.slice(0, 24).map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a list are their places
        <span key={index} className={styles.tag}>
          {one === '' ? <span className={styles.null}>empty</span> : formatValue(one, item).slice(0, 80)}
        </span>
      ))}
    </span>
  );
}

const Bytes = ({ value }: { value: Uint8Array }) => (
  <span className={styles.file} title={`0x${formatValue(value, { kind: 'binary' })}`}>
    {formatBytes(value.byteLength)}
  </span>
);

function Url({ text }: { text: string }) {
  if (text === '') return <span className={styles.null}>empty</span>;
  if (!/^https?:\/\//i.test(text)) return <span className={styles.line}>{text}</span>;
  return (
    <a
      className={styles.url}
      href={text}
      target="_blank"
      rel="noopener noreferrer"
      tabIndex={-1}
      title={text}
    >
      <span className={styles.line}>{text.replace(/^https?:\/\/(www\.)?/i, '')}</span>
      <ExternalLink size={12} aria-hidden />
    </a>
  );
}
