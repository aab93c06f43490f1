import { readCastType } from './cast-types.ts';
import { Cursor } from './cursor.ts';
import { tokenize } from './lexer.ts';
import { parseList, parsePrimary } from './parse-primary.ts';
import { FilterProblem, maxFilterLength, syntaxProblem } from './source.ts';
import type { ArithmeticOp, CompareOp, FilterExpr } from './syntax.ts';

const compareOps: Record<string, CompareOp> = {
  '=': '=',
  '==': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};
const sumOps = new Set(['+', '-']);
const productOps = new Set(['*', '/', '//', '%', '||']);

/**
 * Reads a whole filter; anything left over is an error at its place. Throws a FilterProblem.
 * Binding strength, weakest first: or, and, not, is, comparisons (with between, in, like), + -, * / // % ||, unary -, ::, [] . ->.
 */
export function parseFilterText(text: string): FilterExpr {
  if (text.length > maxFilterLength)
    throw new FilterProblem(
      'BAD_REQUEST',
      'The filter is longer than 1 MB.',
      0,
      'Narrow it down, or join with a table of the values in SQL.',
    );
  const cursor = new Cursor(tokenize(text));
  if (cursor.next.kind === 'end')
    throw syntaxProblem('The filter is empty.', 0, 'Leave the filter out to see all rows.');
  const expr = parseOr(cursor);
  cursor.expectEnd();
  return expr;
}

function parseOr(cursor: Cursor): FilterExpr {
  return parseJoined(cursor, 'or', (inner) => parseJoined(inner, 'and', parseNot));
}

function parseJoined(
  cursor: Cursor,
  kind: 'and' | 'or',
  parseItem: (cursor: Cursor) => FilterExpr,
): FilterExpr {
  const first = parseItem(cursor);
  if (!cursor.isWord(kind)) return first;
  const items = first.kind === kind ? [...first.items] : [first];
  while (cursor.takeWord(kind)) {
    const item = parseItem(cursor);
    if (item.kind === kind) for (const inner of item.items) items.push(inner);
    else items.push(item);
  }
  return cursor.grow({ kind, at: first.at, items }, items);
}

function parseNot(cursor: Cursor): FilterExpr {
  const at = cursor.next.start;
  if (!cursor.takeWord('not')) return parseIs(cursor);
  const item = cursor.nested(() => parseNot(cursor));
  return cursor.grow({ kind: 'not', at, item }, [item]);
}

function parseIs(cursor: Cursor): FilterExpr {
  let item = parseComparison(cursor);
  for (;;) {
    const at = item.at;
    if (cursor.takeWord('isnull')) {
      item = cursor.grow({ kind: 'isNull', at, item, isNegated: false }, [item]);
      continue;
    }
    if (cursor.takeWord('notnull')) {
      item = cursor.grow({ kind: 'isNull', at, item, isNegated: true }, [item]);
      continue;
    }
    if (!cursor.takeWord('is')) return item;
    const isNegated = cursor.takeWord('not');
    if (cursor.takeWord('null') || cursor.takeWord('unknown'))
      item = cursor.grow({ kind: 'isNull', at, item, isNegated }, [item]);
    else if (cursor.takeWord('true'))
      item = cursor.grow({ kind: 'isBool', at, item, value: true, isNegated }, [item]);
    else if (cursor.takeWord('false'))
      item = cursor.grow({ kind: 'isBool', at, item, value: false, isNegated }, [item]);
    else if (cursor.takeWord('distinct', 'from')) {
      const right = cursor.nested(() => parseSum(cursor));
      item = cursor.grow({ kind: 'distinct', at, left: item, right, isNegated }, [item, right]);
    } else
      throw syntaxProblem('After “is” comes [not] null, true, false, or distinct from.', cursor.next.start);
  }
}

function parseComparison(cursor: Cursor): FilterExpr {
  const left = parseSum(cursor);
  const at = left.at;
  const op = cursor.next.kind === 'sign' ? compareOps[cursor.next.text] : undefined;
  if (op) {
    cursor.take();
    if ((cursor.isWord('any') || cursor.isWord('some')) && cursor.peek(1).text === '(')
      return parseAny(cursor, left, op);
    const right = cursor.nested(() => parseSum(cursor));
    if (cursor.next.kind === 'sign' && compareOps[cursor.next.text])
      throw syntaxProblem(
        'Comparisons cannot be chained.',
        cursor.next.start,
        'Write “a < b and b < c”, or “b between a and c”.',
      );
    return cursor.grow({ kind: 'compare', at, op, left, right }, [left, right]);
  }
  const isNegated =
    cursor.isWord('not') &&
    ['between', 'in', 'like', 'ilike', 'similar'].includes(cursor.peek(1).lower) &&
    cursor.takeWord('not');
  if (cursor.takeWord('between')) {
    const low = cursor.nested(() => parseSum(cursor));
    cursor.expectWord('and', 'in “between … and …”');
    const high = cursor.nested(() => parseSum(cursor));
    return cursor.grow({ kind: 'between', at, item: left, low, high, isNegated }, [left, low, high]);
  }
  if (cursor.takeWord('in')) return parseIn(cursor, left, isNegated);
  if (cursor.isWord('like') || cursor.isWord('ilike')) return parseLike(cursor, left, isNegated);
  if (cursor.isWord('similar'))
    throw syntaxProblem(
      'SIMILAR TO is not supported.',
      cursor.next.start,
      'Use regexp_like(column, pattern).',
    );
  return left;
}

function parseAny(cursor: Cursor, value: FilterExpr, op: CompareOp): FilterExpr {
  const at = cursor.take().start;
  cursor.expectSign('(', 'after any');
  const list = cursor.nested(() => parseOr(cursor));
  cursor.expectSign(')', 'to close any(…)');
  if (op !== '=')
    throw syntaxProblem(
      'Only “= any(list)” is supported.',
      at,
      'Use array_has, array_has_any, array_min or array_max.',
    );
  return cursor.grow({ kind: 'call', at, name: 'array_has', args: [list, value] }, [list, value]);
}

function parseIn(cursor: Cursor, item: FilterExpr, isNegated: boolean): FilterExpr {
  cursor.expectSign('(', 'after “in”');
  if (cursor.isSign(')'))
    throw syntaxProblem('The list of “in” is empty.', cursor.next.start, 'Name at least one value.');
  if (cursor.isWord('select'))
    throw syntaxProblem(
      'A filter cannot have a subquery.',
      cursor.next.start,
      'Subqueries belong into the SQL workbench.',
    );
  const list = parseList(cursor, parseOr);
  cursor.expectSign(')', 'to close the list of “in”');
  return cursor.grow({ kind: 'in', at: item.at, item, list, isNegated }, [item, ...list]);
}

/** Another escape character is rewritten to the backslash, which both engines take. */
function withBackslash(pattern: string, mark: string): string {
  let out = '';
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i] as string;
    if (c === mark && i + 1 < pattern.length) out += `\\${pattern[++i]}`;
    else out += c === '\\' ? '\\\\' : c;
  }
  return out;
}

function parseLike(cursor: Cursor, item: FilterExpr, isNegated: boolean): FilterExpr {
  const isCaseless = cursor.take().lower === 'ilike';
  let pattern = cursor.nested(() => parseSum(cursor));
  if (cursor.takeWord('escape')) {
    const mark = cursor.take();
    if (mark.kind !== 'text' || mark.text.length !== 1)
      throw syntaxProblem(
        'After “escape” comes one character as text.',
        mark.start,
        "For example escape '!'.",
      );
    if (mark.text !== '\\') {
      if (pattern.kind !== 'literal' || pattern.value.kind !== 'text')
        throw syntaxProblem('“escape” needs a pattern that is written out.', pattern.at);
      pattern = { ...pattern, value: { kind: 'text', text: withBackslash(pattern.value.text, mark.text) } };
    }
  }
  return cursor.grow({ kind: 'like', at: item.at, item, pattern, isCaseless, isNegated }, [item, pattern]);
}

function parseChain(
  cursor: Cursor,
  ops: ReadonlySet<string>,
  parseItem: (cursor: Cursor) => FilterExpr,
): FilterExpr {
  let left = parseItem(cursor);
  while (cursor.next.kind === 'sign' && ops.has(cursor.next.text)) {
    const op = cursor.take().text as ArithmeticOp;
    const right = parseItem(cursor);
    left = cursor.grow({ kind: 'arithmetic', at: left.at, op, left, right }, [left, right]);
  }
  return left;
}

const parseProduct = (cursor: Cursor): FilterExpr => parseChain(cursor, productOps, parseUnary);
const parseSum = (cursor: Cursor): FilterExpr => parseChain(cursor, sumOps, parseProduct);

function parseUnary(cursor: Cursor): FilterExpr {
  const at = cursor.next.start;
  if (cursor.takeSign('+')) return cursor.nested(() => parseUnary(cursor));
  if (!cursor.takeSign('-')) return parsePostfix(cursor);
  const item = cursor.nested(() => parseUnary(cursor));
  if (item.kind === 'literal' && item.value.kind === 'number' && !item.value.text.startsWith('-'))
    return { kind: 'literal', at, value: { kind: 'number', text: `-${item.value.text}` } };
  return cursor.grow({ kind: 'negate', at, item }, [item]);
}

function parsePostfix(cursor: Cursor): FilterExpr {
  let item = parsePrimary(cursor, parseOr);
  for (;;) {
    const at = item.at;
    if (cursor.takeSign('::')) {
      item = cursor.grow({ kind: 'cast', at, item, type: readCastType(cursor), isTry: false }, [item]);
    } else if (cursor.takeSign('[')) {
      const index = cursor.nested(() => parseOr(cursor));
      cursor.expectSign(']', 'to close the index');
      item = cursor.grow({ kind: 'index', at, item, index }, [item, index]);
    } else if (cursor.isSign('.')) {
      cursor.take();
      const name = cursor.take();
      if (name.kind !== 'word' && name.kind !== 'quoted')
        throw syntaxProblem('A field’s name is missing after the point.', name.start);
      item = cursor.grow({ kind: 'field', at, item, name: name.text }, [item]);
    } else if (cursor.isSign('->') || cursor.isSign('->>')) {
      const name = cursor.take().text === '->>' ? 'json_get_string' : 'json_get';
      const key = parsePrimary(cursor, parseOr);
      item = cursor.grow({ kind: 'call', at, name, args: [item, key] }, [item, key]);
    } else return item;
  }
}
