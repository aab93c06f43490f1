import { readCastType } from './cast-types.ts';
import type { Cursor } from './cursor.ts';
import type { Token } from './lexer.ts';
import { reservedWords } from './reserved-words.ts';
import { syntaxProblem } from './source.ts';
import type { FilterExpr } from './syntax.ts';

type ParseExpr = (cursor: Cursor) => FilterExpr;

const hints: Record<string, string> = {
  case: 'Write the cases as conditions joined with “or”.',
  select: 'A filter is only the condition, without SELECT … WHERE.',
  where: 'A filter is only the condition: leave out WHERE.',
  exists: 'Subqueries belong into the SQL workbench.',
};

const textLiteral = (at: number, text: string): FilterExpr => ({
  kind: 'literal',
  at,
  value: { kind: 'text', text },
});

/** A name, a value, a call, a bracketed expression: what operators stand between. */
export function parsePrimary(cursor: Cursor, parseExpr: ParseExpr): FilterExpr {
  const token = cursor.next;
  switch (token.kind) {
    case 'number':
      cursor.take();
      return { kind: 'literal', at: token.start, value: { kind: 'number', text: token.text } };
    case 'text':
      cursor.take();
      return textLiteral(token.start, token.text);
    case 'bytes':
      cursor.take();
      return { kind: 'literal', at: token.start, value: { kind: 'bytes', hex: token.text } };
    case 'quoted':
    case 'word':
      return parseName(cursor, token, parseExpr);
    case 'end':
      throw syntaxProblem('The filter ends where a value or a column is expected.', token.start);
    case 'sign':
      if (cursor.takeSign('(')) {
        if (cursor.isWord('select'))
          throw syntaxProblem('A filter cannot have a subquery.', cursor.next.start, hints.exists);
        const inner = cursor.nested(() => parseExpr(cursor));
        cursor.expectSign(')', 'to close the bracket');
        return inner;
      }
      if (cursor.takeSign('[')) return parseArray(cursor, token.start, parseExpr);
      throw syntaxProblem(`“${token.text}” cannot stand here: a value or a column is expected.`, token.start);
  }
}

function parseArray(cursor: Cursor, at: number, parseExpr: ParseExpr): FilterExpr {
  const items = cursor.isSign(']') ? [] : parseList(cursor, parseExpr);
  cursor.expectSign(']', 'to close the list');
  return cursor.grow({ kind: 'array', at, items }, items);
}

/** One or more expressions with commas between them. */
export function parseList(cursor: Cursor, parseExpr: ParseExpr): FilterExpr[] {
  const items: FilterExpr[] = [];
  do items.push(cursor.takeListLiteral() ?? cursor.nested(() => parseExpr(cursor)));
  while (cursor.takeSign(','));
  return items;
}

function parseName(cursor: Cursor, token: Token, parseExpr: ParseExpr): FilterExpr {
  cursor.take();
  const at = token.start;
  const after = cursor.next;
  if (token.kind === 'word') {
    switch (token.lower) {
      case 'null':
        return { kind: 'literal', at, value: { kind: 'null' } };
      case 'true':
      case 'false':
        return { kind: 'literal', at, value: { kind: 'bool', value: token.lower === 'true' } };
      case 'timestamp':
      case 'timestamptz':
      case 'date':
      case 'time':
        if (after.kind !== 'text') break;
        cursor.take();
        return {
          kind: 'literal',
          at,
          value: { kind: token.lower === 'timestamptz' ? 'timestamp' : token.lower, text: after.text },
        };
      case 'interval':
        if (after.kind === 'text' || after.kind === 'number') return parseInterval(cursor, at);
        break;
      case 'current_date':
      case 'current_timestamp':
        if (after.text === '(') break;
        return { kind: 'call', at, name: token.lower === 'current_date' ? 'current_date' : 'now', args: [] };
      case 'cast':
      case 'try_cast':
        if (cursor.isSign('(')) return parseCast(cursor, at, token.lower === 'try_cast', parseExpr);
        break;
      case 'array':
        if (cursor.takeSign('[')) return parseArray(cursor, at, parseExpr);
        break;
    }
    if (cursor.isSign('(') && token.lower !== 'in' && token.lower !== 'not' && !hints[token.lower])
      return parseCall(cursor, token, parseExpr);
    if (reservedWords.has(token.lower))
      throw syntaxProblem(
        `“${token.text}” cannot stand here: a value or a column is expected.`,
        at,
        hints[token.lower] ?? `A column of that name is written "${token.text}".`,
      );
  }
  if (token.kind === 'quoted' && cursor.isSign('('))
    return parseCall(cursor, { ...token, lower: token.text.toLowerCase() }, parseExpr);
  const path = [token.text];
  while (cursor.isSign('.') && (cursor.peek(1).kind === 'word' || cursor.peek(1).kind === 'quoted')) {
    cursor.take();
    path.push(cursor.take().text);
  }
  return { kind: 'name', at, path };
}

function parseInterval(cursor: Cursor, at: number): FilterExpr {
  const amount = cursor.take();
  const unit = cursor.next;
  const hasUnit =
    unit.kind === 'word' &&
    /^(?:year|quarter|month|week|day|hour|minute|second|millisecond|microsecond)s?$/.test(unit.lower);
  if (hasUnit) cursor.take();
  return {
    kind: 'literal',
    at,
    value: { kind: 'interval', text: hasUnit ? `${amount.text} ${unit.lower}` : amount.text },
  };
}

function parseCast(cursor: Cursor, at: number, isTry: boolean, parseExpr: ParseExpr): FilterExpr {
  cursor.take();
  const item = cursor.nested(() => parseExpr(cursor));
  cursor.expectWord('as', 'in the cast');
  const type = readCastType(cursor);
  cursor.expectSign(')', 'to close the cast');
  return cursor.grow({ kind: 'cast', at, item, type, isTry }, [item]);
}

function parseCall(cursor: Cursor, token: Token, parseExpr: ParseExpr): FilterExpr {
  const at = token.start;
  cursor.take();
  const call = (name: string, args: FilterExpr[]): FilterExpr => {
    cursor.expectSign(')', `to close ${token.text}(…)`);
    return cursor.grow({ kind: 'call', at, name, args }, args);
  };
  const item = () => cursor.nested(() => parseExpr(cursor));
  if (cursor.isSign(')')) return call(token.lower, []);
  if (cursor.isSign('*'))
    throw syntaxProblem(
      'Aggregates such as count(*) cannot stand in a filter.',
      at,
      'Use the SQL workbench.',
    );
  if (token.lower === 'extract') {
    const part = cursor.take();
    cursor.expectWord('from', 'in extract(part from time)');
    return call('date_part', [
      textLiteral(part.start, part.kind === 'text' ? part.text : part.lower),
      item(),
    ]);
  }
  if (token.lower === 'trim' && ['both', 'leading', 'trailing'].includes(cursor.next.lower)) {
    const side = cursor.take().lower;
    const first = cursor.isWord('from') ? null : item();
    cursor.expectWord('from', 'in trim(… from text)');
    const name = side === 'leading' ? 'ltrim' : side === 'trailing' ? 'rtrim' : 'trim';
    return call(name, first ? [item(), first] : [item()]);
  }
  if (token.lower === 'position') {
    const wanted = parsePrimary(cursor, parseExpr);
    if (cursor.takeWord('in')) return call('strpos', [item(), wanted]);
    cursor.expectSign(',', 'in position(part in text)');
    return call('strpos', [item(), wanted]);
  }
  const args = parseList(cursor, parseExpr);
  if (
    (token.lower === 'substring' || token.lower === 'substr') &&
    args.length === 1 &&
    cursor.takeWord('from')
  ) {
    args.push(item());
    if (cursor.takeWord('for')) args.push(item());
  }
  return call(token.lower, args);
}
