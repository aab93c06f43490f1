import { detectAnnotations } from '#shared/domain/annotations/detect.ts';
import type { CellOf } from '#shared/domain/annotations/entries.ts';
import { type AnnotationLayout, columnsOfLayout } from '#shared/domain/annotations/layout.ts';
import { iouOfAnnotations, matchAnnotations } from '#shared/domain/annotations/match.ts';
import { readAnnotations } from '#shared/domain/annotations/read-annotations.ts';
import type { Annotation, Size } from '#shared/domain/annotations/shape.ts';
import { type GridColumn, toJson } from '../../grid/index.ts';
import type { Change, Row } from './change.ts';

/** What became of one thing that is drawn on a picture. */
export interface AnnotationChange {
  id: string;
  state: 'added' | 'removed' | 'modified' | 'same';
  before: Annotation | null;
  after: Annotation | null;
  /** How much old and new cover each other, 0 to 1; `null` for one alone. */
  iou: number | null;
}

const sampledChanges = 50;

/** Cells of a row as JSON, as annotations are read. */
export const cellsOf =
  (row: Row | null, columns: readonly GridColumn[]): CellOf =>
  (name) => {
    const column = columns.find((one) => one.name === name);
    const value = row?.[name];
    return column && value !== null && value !== undefined ? toJson(value, column.parsed) : null;
  };

/** How the columns of boxes, masks and points are read, by every column that takes part; guessed from some changed rows. */
export function layoutsByColumn(
  columns: readonly GridColumn[],
  changes: readonly Change[],
): ReadonlyMap<string, AnnotationLayout> {
  const sample = changes
    .slice(0, sampledChanges)
    .flatMap(({ base, from, into }) => [base, from, into])
    .filter((row) => row !== null)
    .map((row) => cellsOf(row, columns));
  const asked = columns
    .filter(({ kind }) => kind !== 'media' && kind !== 'vector')
    .map(({ name, parsed, role }) => ({ name, type: parsed, role }));
  const { layouts } = detectAnnotations(asked, sample);
  const drawn = layouts.filter(({ geometry }) => geometry.length > 0);
  return new Map(drawn.flatMap((layout) => columnsOfLayout(layout).map((name) => [name, layout] as const)));
}

export interface AnnotationDiffInput {
  layout: AnnotationLayout;
  before: CellOf;
  after: CellOf;
  /** Of the picture that they are drawn on. */
  size: Size;
}

/** What became of each annotation of a row: those that cover each other most are the same thing. Changed ones come first. */
export function planAnnotationChanges({
  layout,
  before,
  after,
  size,
}: AnnotationDiffInput): AnnotationChange[] {
  const old = readAnnotations(before, layout, size).annotations.filter(({ shapes }) => shapes.length > 0);
  const next = readAnnotations(after, layout, size).annotations.filter(({ shapes }) => shapes.length > 0);
  const equal = new Map(old.map((one, at) => [tokenOf(one), at]));
  const same = new Map<number, number>();
  next.forEach((one, at) => {
    const found = equal.get(tokenOf(one));
    if (found === undefined || [...same.values()].includes(found)) return;
    same.set(at, found);
  });
  const takenOld = new Set(same.values());
  const restOld = old.map((_one, at) => at).filter((at) => !takenOld.has(at));
  const restNew = next.map((_one, at) => at).filter((at) => !same.has(at));
  const matching = matchAnnotations(
    restOld.map((at) => old[at]!),
    restNew.map((at) => ({ ...next[at]!, score: null })),
    { minIou: 0.1, isByClass: false },
  );
  const pair = (a: Annotation | null, b: Annotation | null, state: AnnotationChange['state']) => ({
    id: `${state}-${a?.index ?? ''}-${b?.index ?? ''}`,
    state,
    before: a,
    after: b,
    iou: a && b ? iouOfAnnotations(a, b) : null,
  });
  return [
    ...matching.matches.map(({ truth, prediction }) =>
      pair(old[restOld[truth]!]!, next[restNew[prediction]!]!, 'modified'),
    ),
    ...matching.falses.map((at) => pair(null, next[restNew[at]!]!, 'added')),
    ...matching.misses.map((at) => pair(old[restOld[at]!]!, null, 'removed')),
    ...[...same].map(([at, was]) => pair(old[was]!, next[at]!, 'same')),
  ];
}

const tokenOf = ({ shapes, label, score, caption }: Annotation): string =>
  JSON.stringify([shapes, label, score, caption]);

/** `moved, 74 % the same place`, `cat → dog`, `added`. */
export function describeAnnotationChange({ state, before, after, iou }: AnnotationChange): string {
  if (state !== 'modified' || !before || !after) return state === 'same' ? 'as it was' : state;
  const parts = [
    ...(before.label === after.label ? [] : [`${before.label ?? 'no class'} → ${after.label ?? 'no class'}`]),
    ...(iou !== null && JSON.stringify(before.shapes) !== JSON.stringify(after.shapes)
      ? [`moved, IoU ${iou.toFixed(2)}`]
      : []),
    ...(before.score === after.score ? [] : [`score ${before.score ?? 'none'} → ${after.score ?? 'none'}`]),
    ...(before.caption === after.caption ? [] : ['another caption']),
  ];
  return parts.join(', ');
}
