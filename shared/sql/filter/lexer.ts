import { syntaxProblem } from './source.ts';

export type TokenKind = 'word' | 'quoted' | 'text' | 'bytes' | 'number' | 'sign' | 'end';

export interface Token {
  kind: TokenKind;
  /** The name, the value of a text, the digits, or the sign. */
  text: string;
  /** For keywords: words in lower case. */
  lower: string;
  start: number;
  end: number;
}

const signs = [
  '->>',
  '->',
  '<=',
  '>=',
  '<>',
  '!=',
  '==',
  '||',
  '::',
  '//',
  '<',
  '>',
  '=',
  '+',
  '-',
  '*',
  '/',
  '%',
  '(',
  ')',
  '[',
  ']',
  ',',
  '.',
];
const space = /\s+/y;
const word = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function readQuoted(
  text: string,
  start: number,
  quote: string,
  what: string,
): { value: string; end: number } {
  let value = '';
  let from = start + 1;
  for (;;) {
    const close = text.indexOf(quote, from);
    if (close === -1)
      throw syntaxProblem(`${what} that begins here is not closed.`, start, `Close it with ${quote}.`);
    value += text.slice(from, close);
    if (text[close + 1] !== quote) return { value, end: close + 1 };
    value += quote;
    from = close + 2;
  }
}

function refuse(text: string, at: number): never {
  const c = text[at] as string;
  if (c === ';')
    throw syntaxProblem(
      'A filter is one condition: “;” and what follows it cannot stand here.',
      at,
      'Remove the “;” and what follows it.',
    );
  if (text.startsWith('--', at) || text.startsWith('/*', at) || c === '#')
    throw syntaxProblem(
      'Comments cannot stand in a filter.',
      at,
      'Remove the comment. To subtract a negative number write “- -3”.',
    );
  if (c === '?' || c === '$' || c === '@' || c === ':')
    throw syntaxProblem(
      `A filter has no parameters: “${c}” cannot stand here.`,
      at,
      'Write the value itself.',
    );
  if ('‘’“”„«»'.includes(c))
    throw syntaxProblem(`“${c}” is a typographic quote.`, at, 'Use \' for text and " for names.');
  const hint =
    c === '~' ? 'Use regexp_like(column, pattern).' : c === '!' ? 'Write “not” or “<>”.' : undefined;
  throw syntaxProblem(`“${c}” cannot stand here.`, at, hint);
}

/** Cuts the whole text into tokens, the last one `end`. Throws a FilterProblem at what cannot be. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const push = (kind: TokenKind, value: string, end: number) => {
    tokens.push({ kind, text: value, lower: kind === 'word' ? value.toLowerCase() : '', start: at, end });
    at = end;
  };
  for (;;) {
    at += match(space, text, at)?.length ?? 0;
    if (at >= text.length) break;
    const c = text[at] as string;
    if (c === "'") {
      const { value, end } = readQuoted(text, at, "'", 'The text');
      push('text', value, end);
      continue;
    }
    if (c === '"' || c === '`') {
      const { value, end } = readQuoted(text, at, c, 'The name');
      if (value === '') throw syntaxProblem('A name cannot be empty.', at, "An empty text is ''.");
      push('quoted', value, end);
      continue;
    }
    if ((c === 'x' || c === 'X') && text[at + 1] === "'") {
      const { value, end } = readQuoted(text, at + 1, "'", 'The bytes');
      if (!/^(?:[0-9a-fA-F]{2})*$/.test(value))
        throw syntaxProblem('Bytes are pairs of hexadecimal digits.', at, "For example x'00ff'.");
      push('bytes', value.toLowerCase(), end);
      continue;
    }
    const digits = match(number, text, at);
    if (digits !== null) {
      const end = at + digits.length;
      const tail = match(word, text, end);
      if (tail !== null)
        throw syntaxProblem(
          `“${digits}${tail}” is neither a number nor a name.`,
          at,
          'Names that begin with a digit are written in double quotes.',
        );
      push('number', digits, end);
      continue;
    }
    const name = match(word, text, at);
    if (name !== null) {
      push('word', name, at + name.length);
      continue;
    }
    if (text.startsWith('--', at) || text.startsWith('/*', at)) refuse(text, at);
    const sign = signs.find((candidate) => text.startsWith(candidate, at));
    if (sign === undefined) refuse(text, at);
    push('sign', sign, at + sign.length);
  }
  tokens.push({ kind: 'end', text: '', lower: '', start: text.length, end: text.length });
  return tokens;
}
