export { type Draft, parseDraft, toDraft } from './model/draft.ts';
export { type Editability, type EditorKind, editorOf } from './model/editor-kind.ts';
export { openEditDialog } from './store.ts';
export { submitEdit, undoEdit } from './submit-edit.ts';
export { BranchFirstDialog } from './ui/branch-first-dialog.tsx';
export { CellEditor } from './ui/cell-editor.tsx';
export {
  EditableValue,
  type EditableValueProps,
  GridCellEditor,
  type GridCellEditorProps,
} from './ui/editable-value.tsx';
export { SelectionActions, type SelectionActionsProps } from './ui/selection-actions.tsx';
export { type CellEditing, toEditValue, useCellEditor } from './ui/use-cell-editor.ts';
export { isEditableHere, useEditing } from './ui/use-editing.tsx';
