export {
  dropFailed,
  type FailedImport,
  openImport,
  reopenImport,
  type Upload,
  useImportStore,
} from './store.ts';
export { DropZone } from './ui/drop-zone.tsx';
export { ImportDialog } from './ui/import-dialog.tsx';
