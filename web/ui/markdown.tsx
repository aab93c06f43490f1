import { Lexer, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { cx } from './cx.ts';
import styles from './markdown.module.css';

/** Marks are looked for in times that grow with the square of a paragraph; longer ones are plain text. */
const maxParagraph = 8_000;
const maxText = 200_000;

class ShortLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= maxParagraph) return super.inlineTokens(source, tokens);
    tokens.push({ type: 'escape', raw: source, text: source });
    return tokens;
  }
}

/** What is longer than a text, and what is nested deeper than the stack, is a paragraph as it was typed. */
function lexer(text: string): Token[] {
  const asTyped: Token = { type: 'escape', raw: text, text };
  if (text.length > maxText) return [asTyped];
  try {
    return new ShortLexer({ gfm: true, breaks: true }).lex(text);
  } catch {
    return [asTyped];
  }
}

const maxDepth = 40;

/**
 * Markdown as React elements: HTML in it stays text, addresses are http, https, mailto or of this page, pictures are
 * links. `@name` and `#12` (a review) are marked.
 */
export function Markdown({ text, className }: { text: string; className?: string }) {
  const tokens = useMemo(() => lexer(text), [text]);
  return <div className={cx(styles.markdown, className)}>{renderAll(tokens, 0)}</div>;
}

const renderAll = (tokens: readonly Token[] | undefined, depth: number): ReactNode =>
  depth > maxDepth
    ? tokens?.map(({ raw }) => raw).join('')
    : // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
      tokens?.map((token, index) => <Fragment key={index}>{render(token, depth + 1)}</Fragment>);

function render(token: Token, depth: number): ReactNode {
  const inside = () => renderAll((token as Tokens.Generic).tokens, depth);
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    case 'heading':
      return <p className={styles.heading}>{inside()}</p>;
    case 'paragraph':
      return <p>{inside()}</p>;
    case 'text':
      return (token as Tokens.Text).tokens ? inside() : withMarks(decode(String(token.text)));
    case 'escape':
      return String(token.text);
    case 'strong':
      return <strong>{inside()}</strong>;
    case 'em':
      return <em>{inside()}</em>;
    case 'del':
      return <del>{inside()}</del>;
    case 'codespan':
      return <code>{String(token.text)}</code>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
        <pre tabIndex={0}>
          <code>{String(token.text)}</code>
        </pre>
      );
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'blockquote':
      return <blockquote>{inside()}</blockquote>;
    case 'list':
      return <List list={token as Tokens.List} depth={depth} />;
    case 'table':
      return <TableOf table={token as Tokens.Table} depth={depth} />;
    case 'link':
      return <SafeLink href={String(token.href)}>{inside()}</SafeLink>;
    case 'image':
      return <SafeLink href={String(token.href)}>{String(token.text) || String(token.href)}</SafeLink>;
    default:
      return token.raw;
  }
}

function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in its order
    <li key={index} className={item.task ? styles.task : undefined}>
      {item.task && (
        <input type="checkbox" checked={item.checked ?? false} readOnly disabled aria-label="task" />
      )}
      {renderAll(item.tokens, depth)}
    </li>
  ));
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function TableOf({ table, depth }: { table: Tokens.Table; depth: number }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div className={styles.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells of one text, in its order
              <th key={index}>{renderAll(cell.tokens, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <tr key={at}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={index}>{renderAll(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const kind = kindOfAddress(href);
  if (kind === 'page') return <Link href={href}>{children}</Link>;
  if (kind === 'none') return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Whether an address may be followed: of this page, elsewhere, or not at all. */
export function kindOfAddress(href: string): 'page' | 'elsewhere' | 'none' {
  if (/^\/(?![/\\])/.test(href)) return /^\/api\//.test(href) ? 'elsewhere' : 'page';
  try {
    return /^(https?|mailto):$/.test(new URL(href).protocol) ? 'elsewhere' : 'none';
  } catch {
    return 'none';
  }
}

const marks = /(^|[^\p{L}\p{N}_@/])(@[\p{L}\p{N}][\p{L}\p{N}._-]*[\p{L}\p{N}]|@[\p{L}\p{N}]|#\d{1,9}\b)/gu;

/** Marks names and reviews in a plain text. */
function withMarks(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [, before = '', mark = ''] = match;
    const start = match.index + before.length;
    parts.push(text.slice(end, start));
    parts.push(
      mark.startsWith('#') ? (
        <Link key={start} href={`/reviews/${mark.slice(1)}`}>
          {mark}
        </Link>
      ) : (
        <span key={start} className={styles.mention}>
          {mark}
        </span>
      ),
    );
    end = start + mark.length;
  }
  if (end === 0) return text;
  parts.push(text.slice(end));
  return parts;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

const decode = (text: string): string =>
  text.replace(
    /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,6})|#x([0-9a-f]{1,5}));/gi,
    (all, name, decimal, hex) => {
      if (name) return entities[name.toLowerCase()] ?? all;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 31 && code < 0x110000 ? String.fromCodePoint(code) : all;
    },
  );
