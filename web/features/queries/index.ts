export { addressOfSavedView } from './model/view-link.ts';
export {
  changeQuery,
  createQuery,
  deleteQuery,
  describeQueryAs,
  downloadQuery,
  forkQuery,
  savedQuery,
} from './queries.ts';
export { HistoryDialog } from './ui/history-dialog.tsx';
export { QueriesPanel } from './ui/queries-panel.tsx';
export { type QueryFacts, SaveDialog } from './ui/save-dialog.tsx';
export { ViewActions } from './ui/view-actions.tsx';
