import { useEffect, useRef, useState } from 'react';
import type { CellOf } from '#shared/domain/annotations/entries.ts';
import type { AnnotationLayout } from '#shared/domain/annotations/layout.ts';
import type { AnnotationChange } from '#shared/domain/annotations/read-annotations.ts';
import type { Size } from '#shared/domain/annotations/shape.ts';
import type { GridRow } from '../../grid/index.ts';
import {
  addCell,
  addStep,
  draftCells,
  draftLabel,
  type EditDraft,
  emptyDraft,
  isDirty,
  redoDraft,
  undoDraft,
} from '../model/edit-draft.ts';
import { encodeCells } from '../model/painted-mask.ts';

export interface SaveRequest {
  rowId: string;
  values: Record<string, unknown>;
  label: string;
}

export interface AnnotationEditing {
  draft: EditDraft;
  isDirty: boolean;
  /** Cells to show instead of the row’s: what is drafted, or was just saved and is not read yet. */
  cells: Readonly<Record<string, unknown>>;
  change: (layout: AnnotationLayout, change: AnnotationChange, label: string) => void;
  /** Puts a value into a cell whole, as one step. */
  setCell: (column: string, value: unknown, label: string) => void;
  undo: () => void;
  redo: () => void;
  discard: () => void;
  /** Saves the draft as one edit; false where it was not saved. */
  save: () => Promise<boolean>;
}

interface Saved {
  ref: string | null;
  rowId: string;
  cells: Readonly<Record<string, unknown>>;
}

/** The changes to the annotations of the row on the stage until they are saved. */
export function useAnnotationEditing({
  row,
  cell,
  size,
  onSave,
}: {
  row: GridRow | undefined;
  cell: CellOf;
  size: Size | null;
  onSave: (request: SaveRequest) => Promise<boolean>;
}): AnnotationEditing {
  const [draft, setDraft] = useState<EditDraft>(emptyDraft);
  const [saved, setSaved] = useState<Saved | null>(null);
  const rowId = row?.id ?? '';
  const shownRow = useRef(rowId);
  useEffect(() => {
    if (shownRow.current !== rowId) setDraft(emptyDraft);
    shownRow.current = rowId;
  }, [rowId]);
  const waiting = saved && saved.rowId === rowId && saved.ref === (row?.ref ?? null) ? saved.cells : {};
  const base: CellOf = (name) => (Object.hasOwn(waiting, name) ? waiting[name] : cell(name));
  const dirty = isDirty(draft);
  return {
    draft,
    isDirty: dirty,
    cells: { ...waiting, ...draftCells(draft) },
    change: (layout, change, label) =>
      setDraft((before) => (size ? addStep(before, base, { layout, size, change, label }) : before)),
    setCell: (column, value, label) => setDraft((before) => addCell(before, { column, value, label })),
    undo: () => setDraft(undoDraft),
    redo: () => setDraft(redoDraft),
    discard: () => setDraft(emptyDraft),
    async save() {
      if (!dirty || !row) return true;
      const values = { ...draftCells(draft) };
      const encoded = await encodeCells(values);
      const isDone = await onSave({ rowId: row.id, values: encoded, label: draftLabel(draft) });
      if (!isDone) return false;
      setSaved({ ref: row.ref, rowId: row.id, cells: { ...waiting, ...values } });
      setDraft(emptyDraft);
      return true;
    },
  };
}
