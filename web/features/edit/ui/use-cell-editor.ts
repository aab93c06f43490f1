import { useState } from 'react';
import type { TableDetail } from '#shared/api/tables.ts';
import { parseColumnType } from '#shared/domain/column-type.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { toJson } from '../../grid/index.ts';
import { type Draft, isSameDraft, parseDraft, toDraft } from '../model/draft.ts';
import { type EditorKind, editorOf } from '../model/editor-kind.ts';
import { useSuggestions } from '../suggestions.ts';
import { type Editing, setCell, useEditing } from './use-editing.tsx';

export interface CellEditing extends Pick<Editing, 'isBusy' | 'dialog'> {
  kind: EditorKind;
  draft: Draft;
  change: (draft: Draft) => void;
  /** Of the draft, as one types. */
  problem: string | null;
  /** Of the last try to save it. */
  failure: Editing['problem'];
  suggestions: readonly string[];
  /** Saves the draft; closes when it is saved or says what the cell already holds. */
  commit: () => void;
}

export interface CellEditorInput {
  table: string;
  detail: TableDetail;
  row: string;
  column: ColumnInfo;
  /** As the rows carry it. */
  value: unknown;
  onClose: () => void;
}

/** A cell's value as an edit writes it: whole numbers of 64 bits and times as text. */
export function toEditValue(value: unknown, type: string): unknown {
  try {
    return toJson(value, parseColumnType(type));
  } catch {
    return value;
  }
}

/** The state of one open cell editor: what was typed, what is wrong with it, and the saving. */
export function useCellEditor({ table, detail, row, column, value, onClose }: CellEditorInput): CellEditing {
  const editability = editorOf(column, detail.key);
  const kind = editability.kind ?? 'text';
  const [initial] = useState(() => toDraft(kind, toEditValue(value, column.type), column));
  const [draft, setDraft] = useState<Draft>(initial);
  const [hasTried, setTried] = useState(false);
  const editing = useEditing(table, detail);
  const suggestions = useSuggestions(table, detail.ref, column, editability.kind);
  const parsed = parseDraft(kind, draft, column);
  const commit = async () => {
    if (isSameDraft(draft, initial)) return onClose();
    setTried(true);
    if (!parsed.isValid || editing.isBusy) return;
    const isDone = await editing.submit({ op: setCell(row, column.name, parsed.value), count: 1 });
    if (isDone) onClose();
  };
  const isWrong = !parsed.isValid && (hasTried || kind === 'integer' || kind === 'number');
  return {
    kind,
    draft,
    change: (next) => {
      setDraft(next);
      editing.clearError();
    },
    problem: isWrong ? parsed.problem : null,
    failure: editing.problem,
    suggestions,
    commit: () => void commit(),
    isBusy: editing.isBusy,
    dialog: editing.dialog,
  };
}
