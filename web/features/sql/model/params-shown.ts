import { guessParamType, type QueryParam } from '#shared/domain/query-param.ts';
import { parseCells } from '#shared/sql/cells.ts';
import { paramsIn } from './compose-statement.ts';

/** The parameters that a text names, in order, with what was typed for them; new ones have a type by their name. */
export function paramsShown(sql: string, typed: readonly QueryParam[]): QueryParam[] {
  const names = new Set(parseCells(sql).flatMap(({ body }) => paramsIn(body).map(({ name }) => name)));
  return [...names].map(
    (name) => typed.find((param) => param.name === name) ?? { name, type: guessParamType(name), value: null },
  );
}
