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

/** Signs by their first character, the longest first. */
const signs = new Map<string, readonly string[]>([
  ['-', ['->>', '->', '-']],
  ['<', ['<=', '<>', '<']],
  ['>', ['>=', '>']],
  ['=', ['==', '=']],
  ['!', ['!=']],
  ['|', ['||']],
  [':', ['::']],
  ['/', ['//', '/']],
  ...['+', '*', '%', '(', ')', '[', ']', ',', '.'].map((sign): [string, readonly string[]] => [sign, [sign]]),
]);
const space = /\s/;
const word = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

const isDigit = (c: string | undefined): boolean => c !== undefined && c >= '0' && c <= '9';

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
  while (at < text.length) {
    const c = text[at] as string;
    if (c === ' ' || space.test(c)) {
      at += 1;
    } else if (c === "'") {
      const { value, end } = readQuoted(text, at, "'", 'The text');
      push('text', value, end);
    } else if (c === '"' || c === '`') {
      const { value, end } = readQuoted(text, at, c, 'The name');
      if (value === '') throw syntaxProblem('A name cannot be empty.', at, "An empty text is ''.");
      push('quoted', value, end);
    } else if ((c === 'x' || c === 'X') && text[at + 1] === "'") {
      push('bytes', ...readBytes(text, at));
    } else if (isDigit(c) || (c === '.' && isDigit(text[at + 1]))) {
      push('number', ...readNumber(text, at));
    } else {
      const sign = c === '-' && text[at + 1] === '-' ? undefined : signAt(text, at);
      const name = sign === undefined ? match(word, text, at) : null;
      if (sign !== undefined) push('sign', sign, at + sign.length);
      else if (name !== null) push('word', name, at + name.length);
      else refuse(text, at);
    }
  }
  tokens.push({ kind: 'end', text: '', lower: '', start: text.length, end: text.length });
  return tokens;
}

function signAt(text: string, at: number): string | undefined {
  if (text[at] === '/' && text[at + 1] === '*') return undefined;
  return signs.get(text[at] as string)?.find((sign) => sign.length === 1 || text.startsWith(sign, at));
}

function readBytes(text: string, at: number): [value: string, end: number] {
  const { value, end } = readQuoted(text, at + 1, "'", 'The bytes');
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(value))
    throw syntaxProblem('Bytes are pairs of hexadecimal digits.', at, "For example x'00ff'.");
  return [value.toLowerCase(), end];
}

function readNumber(text: string, at: number): [value: string, end: number] {
  const digits = match(number, text, at) as string;
  const end = at + digits.length;
  const tail = match(word, text, end);
  if (tail !== null)
    throw syntaxProblem(
      `“${digits}${tail}” is neither a number nor a name.`,
      at,
      'Names that begin with a digit are written in double quotes.',
    );
  return [digits, end];
}
