export { type Draft, parseDraft, toDraft } from './model/draft.ts';
export { editorOf } from './model/editor-kind.ts';
export { CellEditor } from './ui/cell-editor.tsx';
export {
  EditableValue,
  type EditableValueProps,
  GridCellEditor,
  type GridCellEditorProps,
} from './ui/editable-value.tsx';
export { SelectionActions, type SelectionActionsProps } from './ui/selection-actions.tsx';
export { TypedValue, type TypedValueProps } from './ui/typed-value.tsx';
export { toEditValue } from './ui/use-cell-editor.ts';
export { type Editing, setCell, useEditing } from './ui/use-editing.tsx';
