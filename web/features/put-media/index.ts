export { AddRowsDialog, type AddRowsDialogProps } from './ui/add-rows-dialog.tsx';
export { ReplaceMedia, type ReplaceMediaProps } from './ui/replace-media.tsx';
