import { AppError } from '#shared/api/problem.ts';
import { didYouMean } from '#shared/domain/near-names.ts';
import type { Comparison } from './comparison.ts';

/** The number of the column with this name on any side, `from` first. UNKNOWN names are BAD_REQUEST. */
export function columnNamed({ columns }: Pick<Comparison, 'columns'>, name: string): number {
  for (const side of ['from', 'into', 'base'] as const) {
    const number = columns.findIndex((column) => column[side]?.name === name);
    if (number >= 0) return number;
  }
  throw new AppError({
    code: 'BAD_REQUEST',
    message: `There is no column “${name.slice(0, 80)}”.`,
    hint: didYouMean(
      name,
      columns.flatMap(({ base, from, into }) =>
        [base, from, into].flatMap((field) => (field ? [field.name] : [])),
      ),
    ),
  });
}
