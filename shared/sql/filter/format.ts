import { quoteIdent } from '../ident.ts';
import { quoteText } from '../literal.ts';
import { reservedWords } from './reserved-words.ts';
import type { FilterExpr, LiteralValue } from './syntax.ts';
import type { ValueType } from './value-type.ts';

const strength = { or: 1, and: 2, not: 3, is: 4, compare: 5, sum: 7, product: 8, unary: 9, primary: 10 };

/** Reserved words, and words that begin something else than a name. */
const wordsOfTheLanguage: ReadonlySet<string> = new Set([
  ...reservedWords,
  'cast',
  'try_cast',
  'array',
  'interval',
  'timestamp',
  'timestamptz',
  'date',
  'time',
  'current_date',
  'current_timestamp',
  'isnull',
  'notnull',
  'x',
]);

/** A name as it stands in a filter: bare where that is safe, else in double quotes. */
export const formatFilterName = (name: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !wordsOfTheLanguage.has(name.toLowerCase())
    ? name
    : quoteIdent(name);

interface Formatted {
  text: string;
  strength: number;
}

const primary = (text: string): Formatted => ({ text, strength: strength.primary });

const at = (expr: FilterExpr, least: number): string => {
  const { text, strength: own } = format(expr);
  return own >= least ? text : `(${text})`;
};

/** The filter as text that reads back as the same filter; comments, line breaks and other spellings are gone. */
export const formatFilterText = (expr: FilterExpr): string => format(expr).text;

function format(expr: FilterExpr): Formatted {
  switch (expr.kind) {
    case 'literal':
      return formatLiteral(expr.value);
    case 'name':
      return primary(expr.path.map(formatFilterName).join('.'));
    case 'not':
      return { text: `not ${at(expr.item, strength.not)}`, strength: strength.not };
    case 'negate':
      return { text: `- ${at(expr.item, strength.primary)}`, strength: strength.unary };
    case 'and':
    case 'or': {
      const own = strength[expr.kind];
      return { text: expr.items.map((item) => at(item, own + 1)).join(` ${expr.kind} `), strength: own };
    }
    case 'compare':
      return {
        text: `${at(expr.left, strength.sum)} ${expr.op} ${at(expr.right, strength.sum)}`,
        strength: strength.compare,
      };
    case 'arithmetic': {
      const own = expr.op === '+' || expr.op === '-' ? strength.sum : strength.product;
      return { text: `${at(expr.left, own)} ${expr.op} ${at(expr.right, own + 1)}`, strength: own };
    }
    case 'between':
      return {
        text: `${at(expr.item, strength.sum)} ${negated(expr)}between ${at(expr.low, strength.sum)} and ${at(expr.high, strength.sum)}`,
        strength: strength.compare,
      };
    case 'in':
      return {
        text: `${at(expr.item, strength.sum)} ${negated(expr)}in (${list(expr.list)})`,
        strength: strength.compare,
      };
    case 'like':
      return {
        text: `${at(expr.item, strength.sum)} ${negated(expr)}${expr.isCaseless ? 'ilike' : 'like'} ${at(expr.pattern, strength.sum)}`,
        strength: strength.compare,
      };
    case 'isNull':
      return { text: `${at(expr.item, strength.sum)} is ${negated(expr)}null`, strength: strength.is };
    case 'isBool':
      return {
        text: `${at(expr.item, strength.sum)} is ${negated(expr)}${expr.value}`,
        strength: strength.is,
      };
    case 'distinct':
      return {
        text: `${at(expr.left, strength.sum)} is ${negated(expr)}distinct from ${at(expr.right, strength.sum)}`,
        strength: strength.is,
      };
    case 'call':
      return primary(`${formatCallName(expr.name)}(${list(expr.args)})`);
    case 'cast':
      return primary(
        `${expr.isTry ? 'try_cast' : 'cast'}(${formatFilterText(expr.item)} as ${formatCastType(expr.type)})`,
      );
    case 'index':
      return primary(`${at(expr.item, strength.primary)}[${formatFilterText(expr.index)}]`);
    case 'field':
      return primary(
        `${isFieldHolder(expr.item) ? formatFilterText(expr.item) : `(${formatFilterText(expr.item)})`}.${formatFilterName(expr.name)}`,
      );
    case 'array':
      return primary(`[${list(expr.items)}]`);
  }
}

/** After these a point can only mean a field; after a name it would lengthen the path, after a number be its own. */
const isFieldHolder = ({ kind }: FilterExpr): boolean =>
  kind === 'call' || kind === 'index' || kind === 'field' || kind === 'cast';

const negated = ({ isNegated }: { isNegated: boolean }): string => (isNegated ? 'not ' : '');

const list = (items: FilterExpr[]): string => items.map(formatFilterText).join(', ');

const formatCallName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !wordsOfTheLanguage.has(name) ? name : quoteIdent(name);

function formatLiteral(value: LiteralValue): Formatted {
  switch (value.kind) {
    case 'null':
      return primary('null');
    case 'bool':
      return primary(String(value.value));
    case 'number':
      return { text: value.text, strength: value.text.startsWith('-') ? strength.unary : strength.primary };
    case 'text':
      return primary(quoteText(value.text));
    case 'bytes':
      return primary(`x${quoteText(value.hex)}`);
    default:
      return primary(`${value.kind} ${quoteText(value.text)}`);
  }
}

function formatCastType(type: ValueType): string {
  switch (type.kind) {
    case 'int':
      return `${type.isSigned ? '' : 'u'}int${type.bits}`;
    case 'float':
      return type.bits === 64 ? 'double' : `float${type.bits}`;
    case 'decimal':
      return `decimal(${type.precision}, ${type.scale})`;
    case 'timestamp':
      return type.zone === null ? 'timestamp' : 'timestamptz';
    case 'bool':
      return 'boolean';
    default:
      return type.kind;
  }
}
