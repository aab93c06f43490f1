import type { ColumnInfo } from '../../domain/columns.ts';
import { didYouMean } from '../../domain/near-names.ts';
import { bindCall } from './bind-call.ts';
import { bindBetween, bindCompare, bindDistinct, bindIn } from './bind-compare.ts';
import {
  bindArithmetic,
  bindArray,
  bindCast,
  bindField,
  bindIndex,
  bindNegate,
  fieldType,
  listSome,
} from './bind-value.ts';
import { type BoundExpr, bool, castTo, describeExpr, isNumeric } from './bound.ts';
import { bindLiteral } from './coerce.ts';
import { bindProblem } from './source.ts';
import type { FilterExpr } from './syntax.ts';
import { readValueType, type ValueType } from './value-type.ts';

/** Columns that Lance has beside those of the schema. */
const systemColumns: ReadonlySet<string> = new Set([
  '_rowid',
  '_rowaddr',
  '_row_created_at_version',
  '_row_last_updated_at_version',
]);
const systemType: ValueType = { kind: 'int', bits: 64, isSigned: false };

export interface BoundFilter {
  expr: BoundExpr;
  columns: string[];
}

type Columns = readonly Pick<ColumnInfo, 'name' | 'type'>[];

/** Looks up names and types. Throws a FilterProblem (SQL_BIND) at the first thing that does not fit. */
export const bindFilter = (filter: FilterExpr, columns: Columns): BoundFilter => {
  const { bindCondition, used } = createBinder(columns);
  const expr = bindCondition(filter);
  return { expr, columns: [...used].sort() };
};

/** As {@link bindFilter}, for an expression that gives any value. */
export const bindExpression = (expression: FilterExpr, columns: Columns): BoundFilter => {
  const { bind, used } = createBinder(columns);
  const expr = bind(expression);
  return { expr, columns: [...used].sort() };
};

function createBinder(columns: Columns) {
  const byName = new Map(columns.map(({ name, type }) => [name, type]));
  const types = new Map<string, ValueType>();
  const used = new Set<string>();

  const typeOf = (name: string): ValueType | undefined => {
    const known = types.get(name) ?? (systemColumns.has(name) ? systemType : undefined);
    if (known) return known;
    const written = byName.get(name);
    if (written === undefined) return undefined;
    const type = readValueType(written);
    types.set(name, type);
    return type;
  };

  const bindName = ({ path, at }: FilterExpr & { kind: 'name' }): BoundExpr => {
    const [name, ...fields] = path as [string, ...string[]];
    let type = typeOf(name);
    if (!type) {
      const names = columns.filter(({ name: other }) => other !== '_key').map(({ name: other }) => other);
      throw bindProblem(`There is no column “${name}”.`, at, didYouMean(name, names) ?? listSome(names));
    }
    if (name.includes('`'))
      throw bindProblem(
        `The column “${name}” has a backtick in its name and cannot be filtered by.`,
        at,
        'Rename the column.',
      );
    used.add(name);
    for (const [i, field] of fields.entries())
      type = fieldType(type, field, path.slice(0, i + 1).join('.'), at);
    return { kind: 'column', at, type, name, fields };
  };

  const bindCondition = (expr: FilterExpr): BoundExpr => {
    const bound = bind(expr);
    if (bound.type.kind === 'bool') return bound;
    if (bound.type.kind === 'null') return castTo(bound, bool);
    throw bindProblem(
      `A condition is needed here, but ${describeExpr(bound)}.`,
      expr.at,
      expr.kind === 'name'
        ? `Compare it, for example ${expr.path.join('.')} ${isNumeric(bound.type) ? '> 0' : 'is not null'}.`
        : undefined,
    );
  };

  const bind = (expr: FilterExpr): BoundExpr => {
    const { at } = expr;
    switch (expr.kind) {
      case 'literal':
        return bindLiteral(expr);
      case 'name':
        return bindName(expr);
      case 'and':
      case 'or':
        return { kind: expr.kind, at, type: bool, items: expr.items.map(bindCondition) };
      case 'not':
        return { kind: 'not', at, type: bool, item: bindCondition(expr.item) };
      case 'negate':
        return bindNegate(expr, bind);
      case 'compare':
        return bindCompare(expr, bind);
      case 'arithmetic':
        return bindArithmetic(expr, bind);
      case 'between':
        return bindBetween(expr, bind);
      case 'in':
        return bindIn(expr, bind);
      case 'like': {
        const item = bind(expr.item);
        const pattern = bind(expr.pattern);
        for (const side of [item, pattern]) {
          if (side.type.kind !== 'text' && side.type.kind !== 'null')
            throw bindProblem(
              `“like” compares text, but ${describeExpr(side)}.`,
              side.at,
              side.type.kind === 'list' ? 'Use array_has(column, value).' : 'Write cast(… as text).',
            );
        }
        return {
          kind: 'like',
          at,
          type: bool,
          item,
          pattern,
          isCaseless: expr.isCaseless,
          isNegated: expr.isNegated,
        };
      }
      case 'isNull':
        return { kind: 'isNull', at, type: bool, item: bind(expr.item), isNegated: expr.isNegated };
      case 'isBool':
        return {
          kind: 'isBool',
          at,
          type: bool,
          item: bindCondition(expr.item),
          value: expr.value,
          isNegated: expr.isNegated,
        };
      case 'distinct':
        return bindDistinct(expr, bind);
      case 'call':
        return bindCall(expr, bind);
      case 'cast':
        return bindCast(expr, bind(expr.item));
      case 'index':
        return bindIndex(expr, bind);
      case 'field':
        return bindField(bind(expr.item), expr.name, at);
      case 'array':
        return bindArray(expr, bind);
    }
  };

  return { bind, bindCondition, used };
}
