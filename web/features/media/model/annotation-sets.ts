import type { TableDetail } from '#shared/api/tables.ts';
import { type Detection, detectAnnotations } from '#shared/domain/annotations/detect.ts';
import type { CellOf } from '#shared/domain/annotations/entries.ts';
import { type AnnotationLayout, columnsOfLayout } from '#shared/domain/annotations/layout.ts';
import { readAnnotations } from '#shared/domain/annotations/read-annotations.ts';
import type { Annotation, Size } from '#shared/domain/annotations/shape.ts';
import { type GridColumn, type GridRow, type RowSource, readBlobCell, toJson } from '../../grid/index.ts';

/** The annotations of one column in one row. */
export interface AnnotationSet {
  layout: AnnotationLayout;
  name: string;
  annotations: Annotation[];
  /** Entries that are no shapes. */
  faulty: number;
}

/** The cells of a row as JSON, exact. */
export function cellsOfRow(row: GridRow, columns: readonly GridColumn[]): CellOf {
  const kept = new Map<string, unknown>();
  return (name) => {
    if (kept.has(name)) return kept.get(name);
    const column = columns.find((one) => one.name === name);
    const value = column ? cellOf(row.value(name), column) : null;
    kept.set(name, value);
    return value;
  };
}

/** Media travel as address, size and kind, whatever the type of their column is. */
const cellOf = (value: unknown, { kind, parsed }: GridColumn): unknown =>
  kind === 'media' ? readBlobCell(value) : toJson(value, parsed);

/** Cells with some of them replaced. */
export const withCells =
  (cell: CellOf, cells: Readonly<Record<string, unknown>>): CellOf =>
  (name) =>
    Object.hasOwn(cells, name) ? cells[name] : cell(name);

const sampledRows = 24;

/** What annotations a table has, from its columns and the rows that are there. */
export function detectInTable(
  columns: readonly GridColumn[],
  detail: Pick<TableDetail, 'columns'> | undefined,
  source: RowSource,
  row?: GridRow,
): Detection {
  const facts = new Map(detail?.columns.map(({ name, annotations }) => [name, annotations]));
  return detectAnnotations(
    columns.map(({ name, parsed, role }) => ({ name, type: parsed, role, annotations: facts.get(name) })),
    sampleCells(columns, source, row),
  );
}

/** The cells of the first rows that are there, and of one more. */
export function sampleCells(columns: readonly GridColumn[], source: RowSource, row?: GridRow): CellOf[] {
  const rows = row ? [row] : [];
  for (let at = 0; at < sampledRows; at++) {
    const found = source.rowAt(at);
    if (found) rows.push(found);
  }
  return rows.map((one) => cellsOfRow(one, columns));
}

/** Layouts that are drawn on a media column: those that name it, and those that name none. */
export const layoutsFor = (layouts: readonly AnnotationLayout[], media: string): AnnotationLayout[] =>
  layouts.filter((layout) => (layout.media ?? media) === media && layout.column !== media);

export const readSets = (cell: CellOf, layouts: readonly AnnotationLayout[], size: Size): AnnotationSet[] =>
  layouts.map((layout) => ({ layout, name: layout.column, ...readAnnotations(cell, layout, size) }));

export interface AnnotationFilter {
  hiddenSets: readonly string[];
  hiddenClasses: readonly string[];
  minScore: number;
}

/** The name of a class in filters and legends; that of things without a class is empty. */
export const classOf = ({ label }: Pick<Annotation, 'label'>): string => label ?? '';

export const passes = (
  one: Annotation,
  { hiddenClasses, minScore }: Omit<AnnotationFilter, 'hiddenSets'>,
): boolean => !hiddenClasses.includes(classOf(one)) && (one.score === null || one.score >= minScore);

/** Only the annotations that a filter lets through. */
export const filterSets = (sets: readonly AnnotationSet[], filter: AnnotationFilter): AnnotationSet[] =>
  sets
    .filter(({ name }) => !filter.hiddenSets.includes(name))
    .map((set) => ({ ...set, annotations: set.annotations.filter((one) => passes(one, filter)) }));

export interface LegendEntry {
  label: string;
  /** In all sets that are shown, whether the class is shown or not. */
  count: number;
  isShown: boolean;
}

/** The classes of the shown sets with their counts, the most frequent first. */
export function legendOf(
  sets: readonly AnnotationSet[],
  { hiddenSets, hiddenClasses }: Pick<AnnotationFilter, 'hiddenSets' | 'hiddenClasses'>,
): LegendEntry[] {
  const counts = new Map<string, number>();
  for (const set of sets) {
    if (hiddenSets.includes(set.name)) continue;
    for (const one of set.annotations) counts.set(classOf(one), (counts.get(classOf(one)) ?? 0) + 1);
  }
  return [...counts]
    .map(([label, count]) => ({ label, count, isShown: !hiddenClasses.includes(label) }))
    .sort((a, b) => b.count - a.count || a.label.localeCompare(b.label));
}

/** The scores of the shown sets from least to most; null where there are none. */
export function scoreRange(
  sets: readonly AnnotationSet[],
  hiddenSets: readonly string[],
): [number, number] | null {
  const scores = sets
    .filter(({ name }) => !hiddenSets.includes(name))
    .flatMap(({ annotations }) => annotations.flatMap(({ score }) => (score === null ? [] : [score])));
  return scores.length === 0 ? null : [Math.min(...scores), Math.max(...scores)];
}

/** Columns that a row must carry so that its annotations can be read. */
export const neededColumns = (layouts: readonly AnnotationLayout[]): string[] => [
  ...new Set(layouts.flatMap(columnsOfLayout)),
];
