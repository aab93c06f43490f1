import type { CellOf } from '#shared/domain/annotations/entries.ts';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import { readAnnotations } from '#shared/domain/annotations/read-annotations.ts';
import type { AnnotationSet } from './annotation-sets.ts';

const anySize = { width: 1, height: 1 };

/** The classes of a set that its layout and other rows tell, in an order that stays. */
export function classesOfSample(layout: AnnotationLayout, rows: readonly CellOf[]): string[] {
  const plain = { ...layout, geometry: layout.geometry.slice(0, layout.many === 'list' ? 0 : 1) };
  const found = rows.flatMap((row) =>
    readAnnotations(row, plain, anySize).annotations.flatMap(({ label }) => label ?? []),
  );
  return [...new Set([...(layout.classes ?? []), ...[...new Set(found)].sort()])].filter(
    (label) => label !== '',
  );
}

/** Those and what else is in the sets of this row, at their end. */
export const classList = (known: readonly string[], sets: readonly AnnotationSet[]): string[] => {
  const here = sets.flatMap(({ annotations }) => annotations.flatMap(({ label }) => label ?? []));
  return [...new Set([...known, ...[...new Set(here)].sort()])];
};
