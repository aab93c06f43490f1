import { Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatBytes } from '../../../ui/format-quantity.ts';
import { IconButton, showError, showToast } from '../../../ui/index.ts';
import {
  formatJson,
  formatNumber,
  formatTime,
  formatTimeForCell,
  formatValue,
  type GridColumn,
  isLinked,
  showControls,
  VectorSpark,
} from '../../grid/index.ts';
import styles from './inspector.module.css';

export interface ValueProps {
  value: unknown;
  column: GridColumn;
  /** Buttons beside the one that copies it. */
  actions?: ReactNode;
}

/** A value in full, with a way to copy it. */
export function Value({ value, column, actions }: ValueProps) {
  const isNull = value === null || value === undefined;
  return (
    <div className={styles.valueLine}>
      <div className={styles.valueText}>
        {isNull ? <em className={styles.null}>null</em> : <Whole value={value} column={column} />}
      </div>
      {!isNull && (
        <IconButton
          label={`Copy ${column.name}`}
          size="s"
          side="left"
          icon={<Copy />}
          className={styles.copy}
          onClick={() => void copy(value, column)}
        />
      )}
      {actions}
    </div>
  );
}

async function copy(value: unknown, column: GridColumn): Promise<void> {
  try {
    await navigator.clipboard.writeText(formatValue(value, column.parsed));
    showToast(`Copied ${column.name}`);
  } catch (error) {
    showError(error);
  }
}

const longText = 2_000;

function Whole({ value, column }: { value: unknown; column: GridColumn }): ReactNode {
  switch (isLinked(column) ? 'text' : column.kind) {
    case 'text':
      return value === '' ? (
        <em className={styles.null}>empty</em>
      ) : (
        <LongText text={showControls(String(value))} />
      );
    case 'url': {
      const text = String(value);
      return /^https?:\/\//i.test(text) ? (
        <a href={text} target="_blank" rel="noopener noreferrer">
          {text}
        </a>
      ) : (
        text
      );
    }
    case 'number': {
      const exact = formatValue(value, column.parsed);
      const shown = formatNumber(value, column.parsed);
      const isRounded =
        typeof value === 'number' &&
        exact.replace('-', '') !== shown.replaceAll('\u2009', '').replace('-', '');
      return (
        <span className={styles.figures}>
          {shown}
          {isRounded && <span className={styles.exact}>{exact}</span>}
        </span>
      );
    }
    case 'bool':
      return value ? 'true' : 'false';
    case 'time': {
      const exact = formatTime(value, column.parsed);
      const shown = formatTimeForCell(value, column.parsed);
      return (
        <span className={styles.figures}>
          {shown}
          {exact !== shown && <span className={styles.exact}>{exact}</span>}
        </span>
      );
    }
    case 'list':
      return <ListValue value={value as ArrayLike<unknown>} column={column} />;
    case 'vector':
      return <VectorValue values={value as ArrayLike<number>} />;
    case 'struct':
    case 'json':
      return <LongText text={formatJson(value, column.parsed, 2)} isCode />;
    default:
      return ArrayBuffer.isView(value) ? (
        <span className={styles.figures}>
          {formatBytes(value.byteLength)}
          <span className={styles.exact}>0x{formatValue(value, { kind: 'binary' })}</span>
        </span>
      ) : (
        formatValue(value, column.parsed)
      );
  }
}

function LongText({ text, isCode }: { text: string; isCode?: boolean }) {
  const [isWhole, setWhole] = useState(text.length <= longText);
  const shown = isWhole ? text : text.slice(0, longText);
  const more = !isWhole && (
    <button type="button" className={styles.more} onClick={() => setWhole(true)}>
      … show all {text.length.toLocaleString('en')} characters
    </button>
  );
  return isCode ? (
    <pre className={styles.code}>
      {shown}
      {more}
    </pre>
  ) : (
    <span className={styles.text}>
      {shown}
      {more}
    </span>
  );
}

const mostItems = 200;

function ListValue({ value, column }: { value: ArrayLike<unknown>; column: GridColumn }) {
  const items = Array.from(value);
  const item = 'item' in column.parsed ? column.parsed.item : ({ kind: 'utf8' } as const);
  if (items.length === 0) return <em className={styles.null}>no items</em>;
  return (
    <span className={styles.tags}>
      {items.slice(0, mostItems).map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a list are their places
        <span key={index} className={styles.tag}>
          {one === '' ? <em className={styles.null}>empty</em> : formatValue(one, item)}
        </span>
      ))}
      {items.length > mostItems && <span className={styles.faint}>and {items.length - mostItems} more</span>}
    </span>
  );
}

function VectorValue({ values }: { values: ArrayLike<number> }) {
  const numbers = Array.from(values);
  const length = Math.sqrt(numbers.reduce((sum, one) => sum + one * one, 0));
  return (
    <span className={styles.figures}>
      <VectorSpark values={values} widthPx={300} heightPx={28} />
      <span className={styles.exact}>
        {values.length} dimensions · length {Number(length.toPrecision(4))} · [
        {numbers
          .slice(0, 4)
          .map((one) => Number(one.toPrecision(3)))
          .join(', ')}
        {numbers.length > 4 && ', …'}]
      </span>
    </span>
  );
}
