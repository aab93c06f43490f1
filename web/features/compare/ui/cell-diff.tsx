import { type ReactNode, useMemo } from 'react';
import { assertNever } from '#shared/domain/assert-never.ts';
import { formatCount } from '../../../ui/format-quantity.ts';
import { formatValue, type GridColumn, type MediaAddress } from '../../grid/index.ts';
import { type CharPart, diffShort } from '../model/char-diff.ts';
import type { ListDiff } from '../model/list-diff.ts';
import type { FieldChange } from '../model/struct-diff.ts';
import type { TextDiff } from '../model/text-diff.ts';
import { planValueDiff, type ValueDiff } from '../model/value-diff.ts';
import type { CellSides } from './cell-sides.ts';
import styles from './differs.module.css';
import { FullValue } from './full-value.tsx';
import { MediaDiff } from './media-diff.tsx';
import { Pair, Sign } from './pair.tsx';
import { VectorNeighbours } from './vector-neighbours.tsx';

/** One cell change, old against new, by the differ for its kind. */
export function CellDiff(props: CellSides) {
  const { column, before, after, beforeMedia, afterMedia, self } = props;
  const diff = useMemo(() => planValueDiff(column, before, after), [column, before, after]);
  const show = (value: unknown, media: MediaAddress | null): ReactNode => (
    <FullValue column={column} value={value} media={media} />
  );
  switch (diff.kind) {
    case 'filled':
      return (
        <Pair
          old={show(null, null)}
          next={show(diff.after, afterMedia)}
          isInline={isShort(column, diff.after)}
        />
      );
    case 'emptied':
      return (
        <Pair
          old={show(diff.before, beforeMedia)}
          next={show(null, null)}
          isInline={isShort(column, diff.before)}
        />
      );
    case 'text':
      if (isShort(column, diff.before) && isShort(column, diff.after)) {
        const chars = diffShort(diff.before, diff.after);
        return (
          <Pair
            old={chars ? <Chars parts={chars.before} /> : show(diff.before, null)}
            next={chars ? <Chars parts={chars.after} /> : show(diff.after, null)}
            isInline
          />
        );
      }
      return <TextView diff={diff.diff} />;
    case 'number':
      return (
        <Pair
          old={show(diff.before, null)}
          next={show(diff.after, null)}
          note={<NumberNote diff={diff} />}
          isInline
        />
      );
    case 'time':
      return <Pair old={show(diff.before, null)} next={show(diff.after, null)} note={diff.shift} isInline />;
    case 'plain':
      return <Pair old={show(diff.before, null)} next={show(diff.after, null)} isInline />;
    case 'list':
      return <ListView diff={diff.diff} format={(value) => formatValue(value, diff.item)} />;
    case 'fields':
      return <FieldsView fields={diff.fields} />;
    case 'vector':
      return (
        <>
          <Pair
            old={show(diff.before, null)}
            next={show(diff.after, null)}
            note={<VectorNote diff={diff} />}
          />
          {self && <VectorNeighbours column={column} before={diff.before} after={diff.after} self={self} />}
        </>
      );
    case 'media':
      return <MediaDiff {...props} />;
    default:
      return assertNever(diff);
  }
}

const shortChars = 40;

/** Short enough to stand beside its other side in one line. */
const isShort = ({ kind }: GridColumn, value: unknown): boolean =>
  kind === 'number' ||
  kind === 'bool' ||
  kind === 'time' ||
  ((kind === 'text' || kind === 'url') && String(value).length <= shortChars);

function TextView({ diff }: { diff: TextDiff }) {
  const { parts, isRewrite, isTooLarge } = diff;
  if (isRewrite) {
    const textOf = (state: 'removed' | 'added') => parts.find((part) => part.state === state)?.text ?? '';
    return (
      <Pair
        old={<PlainText text={textOf('removed')} />}
        next={<PlainText text={textOf('added')} />}
        note={isTooLarge && 'too long to be compared by word'}
      />
    );
  }
  return (
    <p className={styles.words}>
      {parts.map(({ state, text }, index) => {
        const key = `${index}-${state}`;
        const other = parts[state === 'removed' ? index + 1 : index - 1];
        const pair =
          state === 'removed' && other?.state === 'added'
            ? diffShort(text, other.text)?.before
            : state === 'added' && other?.state === 'removed'
              ? diffShort(other.text, text)?.after
              : undefined;
        const content = pair ? <Chars parts={pair} /> : text;
        if (state === 'removed') return <del key={key}>{content}</del>;
        if (state === 'added') return <ins key={key}>{content}</ins>;
        return <span key={key}>{text}</span>;
      })}
    </p>
  );
}

/** A text with the characters marked that differ. */
const Chars = ({ parts }: { parts: readonly CharPart[] }) => (
  <span className={styles.text}>
    {parts.map(({ text, isChanged }, index) =>
      isChanged ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are their places
        <mark key={index}>{text}</mark>
      ) : (
        text
      ),
    )}
  </span>
);

const PlainText = ({ text }: { text: string }) =>
  text === '' ? <span className={styles.null}>empty</span> : <span className={styles.text}>{text}</span>;

function NumberNote({ diff }: { diff: Extract<ValueDiff, { kind: 'number' }> }) {
  const { delta, direction, relative } = diff.diff;
  if (delta === null || direction === 'none') return null;
  const sign = direction === 'up' ? '+' : '−';
  const size = /^-?\d+$/.test(delta) ? formatCount(BigInt(delta.replace('-', ''))) : delta.replace(/^-/, '');
  const percent = relative === null || Math.abs(relative) >= 100 ? null : Math.abs(relative * 100);
  return (
    <>
      {sign}
      {size}
      {percent !== null &&
        ` (${sign}${percent < 0.1 ? '<0.1' : percent < 10 ? percent.toFixed(1) : Math.round(percent)} %)`}
    </>
  );
}

function VectorNote({ diff }: { diff: Extract<ValueDiff, { kind: 'vector' }> }) {
  const { cosine, distance, changed, sizeBefore, sizeAfter } = diff.diff;
  if (sizeBefore !== sizeAfter) return `${sizeBefore} → ${sizeAfter} dimensions`;
  return [
    cosine === null
      ? 'no cosine'
      : `cosine ${cosine > 0.99995 && cosine < 1 ? '>0.9999' : cosine.toFixed(4)}`,
    ...(distance === null ? [] : [`distance ${Number(distance.toPrecision(3))}`]),
    `${changed} of ${sizeAfter} dimensions changed`,
  ].join(' · ');
}

const shownSame = 6;

function ListView({ diff, format }: { diff: ListDiff; format: (value: unknown) => string }) {
  const { items, isReordered } = diff;
  const same = items.filter(({ state }) => state === 'same').length;
  const hidesSame = same > shownSame;
  const shown = hidesSame ? items.filter(({ state }) => state !== 'same') : items;
  return (
    <div className={styles.items}>
      {shown.map(({ state, value, before, after }) => {
        const text = format(value);
        const key = `${before}-${after}`;
        const label = text === '' ? <span className={styles.null}>empty</span> : text;
        if (state === 'same') {
          return (
            <span key={key} className={styles.item}>
              {label}
            </span>
          );
        }
        const Tag = state === 'added' ? 'ins' : 'del';
        return (
          <Tag key={key} className={styles.item}>
            <Sign>{state === 'added' ? '+' : '−'}</Sign>
            {label}
          </Tag>
        );
      })}
      {hidesSame && <span className={styles.note}>{same} stay</span>}
      {isReordered && <span className={styles.note}>the same items in another order</span>}
    </div>
  );
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');

function FieldsView({ fields }: { fields: readonly FieldChange[] }) {
  return (
    <dl className={styles.fields}>
      {fields.map(({ path, state, before, after }) => (
        <div key={path} className={styles.fieldChange}>
          <dt>
            <code>{path === '' ? 'value' : path}</code>
          </dt>
          <dd className={styles.inlinePair}>
            {state !== 'added' && (
              <del className={styles.old}>
                <Sign>−</Sign>
                <span className={styles.text}>{text(before)}</span>
              </del>
            )}
            {state !== 'removed' && (
              <ins className={styles.new}>
                <Sign>+</Sign>
                <span className={styles.text}>{text(after)}</span>
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
