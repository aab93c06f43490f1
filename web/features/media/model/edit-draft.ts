import type { CellOf } from '#shared/domain/annotations/entries.ts';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import { type AnnotationChange, writeAnnotations } from '#shared/domain/annotations/read-annotations.ts';
import type { Size } from '#shared/domain/annotations/shape.ts';
import { withCells } from './annotation-sets.ts';

type Cells = Readonly<Record<string, unknown>>;

export interface DraftStep {
  label: string;
  /** All cells that differ from the row, after the step. */
  cells: Cells;
}

/** Changes to the annotations of one row that are not saved yet, step by step. */
export interface EditDraft {
  done: readonly DraftStep[];
  undone: readonly DraftStep[];
}

export const emptyDraft: EditDraft = { done: [], undone: [] };

/** The cells that differ from the row. */
export const draftCells = ({ done }: EditDraft): Cells => done.at(-1)?.cells ?? {};

export const isDirty = (draft: EditDraft): boolean => Object.keys(draftCells(draft)).length > 0;

export interface DraftChange {
  layout: AnnotationLayout;
  size: Size;
  change: AnnotationChange;
  label: string;
}

/** The draft with one more step; the same draft where the change changes nothing. */
export function addStep(
  draft: EditDraft,
  row: CellOf,
  { layout, size, change, label }: DraftChange,
): EditDraft {
  const before = draftCells(draft);
  const changed = writeAnnotations(withCells(row, before), { layout, size, change });
  if (Object.keys(changed).length === 0) return draft;
  const cells = Object.fromEntries(
    Object.entries({ ...before, ...changed }).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(row(name) ?? null),
    ),
  );
  return { done: [...draft.done, { label, cells }], undone: [] };
}

/** The draft with one more step that puts a value into a cell whole. */
export const addCell = (
  draft: EditDraft,
  { column, value, label }: { column: string; value: unknown; label: string },
): EditDraft => ({
  done: [...draft.done, { label, cells: { ...draftCells(draft), [column]: value } }],
  undone: [],
});

export function undoDraft({ done, undone }: EditDraft): EditDraft {
  const last = done.at(-1);
  return last ? { done: done.slice(0, -1), undone: [...undone, last] } : { done, undone };
}

export function redoDraft({ done, undone }: EditDraft): EditDraft {
  const next = undone.at(-1);
  return next ? { done: [...done, next], undone: undone.slice(0, -1) } : { done, undone };
}

/** What the edit is called in the history: its step, or how many there were. */
export function draftLabel({ done }: EditDraft): string {
  const [only] = done;
  return done.length === 1 && only ? only.label : `${done.length} changes to annotations`;
}
