import { type AnnotatedColumn, itemOf } from './detect-types.ts';
import { type CellOf, readCell } from './entries.ts';
import { labelOf, type Names, namesOf, scoreOf, timeOf } from './field-names.ts';
import type { AnnotationLayout } from './layout.ts';

const lengthOf = (value: unknown): number | null => (Array.isArray(value) ? value.length : null);

/** Other columns of lists that have one entry for each annotation in every row of the sample. */
function siblingsOf(
  name: string,
  columns: readonly AnnotatedColumn[],
  sample: readonly CellOf[],
  isJson?: boolean,
): AnnotatedColumn[] {
  return columns.filter((other) => {
    if (other.name === name || !itemOf(other.type) || other.role === 'vector') return false;
    let compared = 0;
    for (const cell of sample) {
      const [mine, theirs] = [lengthOf(readCell(cell(name), isJson)), lengthOf(cell(other.name))];
      if (mine === null && theirs === null) continue;
      if ((mine ?? 0) !== (theirs ?? 0)) return false;
      if (mine) compared++;
    }
    return compared > 0 || sample.length === 0;
  });
}

export const hasSiblings = (
  name: string,
  values: readonly unknown[],
  columns: readonly AnnotatedColumn[],
  sample: readonly CellOf[],
): boolean =>
  values.length > 0 &&
  siblingsOf(name, columns, sample).some((other) => labelOf(namesOf([stripped(other.name)])) !== null);

const stripped = (name: string): string =>
  name.replace(/^(gt|pred|prediction|true|detection|det|object|box|bbox)_/i, '').toLowerCase();
const prefixOf = (name: string): string =>
  /^(gt|pred|prediction|true|detection|det)_/i.exec(name)?.[0].toLowerCase() ?? '';

/** A layout with the columns beside it that tell class and score. */
export function beside(
  layout: AnnotationLayout,
  columns: readonly AnnotatedColumn[],
  sample: readonly CellOf[],
): AnnotationLayout {
  const isList = layout.many === 'columns';
  const near = isList
    ? siblingsOf(layout.column, columns, sample, layout.isJson)
    : columns.filter(({ name, type }) => name !== layout.column && !itemOf(type) && type.kind !== 'struct');
  const mine = near.filter(({ name }) => prefixOf(name) === prefixOf(layout.column));
  const names: Names = new Map((mine.length > 0 ? mine : near).map(({ name }) => [stripped(name), name]));
  const label = labelOf(names);
  const score = scoreOf(names);
  const time = isList ? timeOf(new Map(near.map(({ name }) => [stripped(name), name]))) : null;
  const taken = [label, score, time];
  return {
    ...layout,
    label,
    score,
    ...(time === null ? {} : { time }),
    ...(isList && near.length > 0
      ? { parallel: mine.filter(({ name }) => !taken.includes(name)).map(({ name }) => name) }
      : {}),
  };
}
