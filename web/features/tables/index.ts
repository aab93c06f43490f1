export { SettingsDialog } from './ui/settings-dialog.tsx';
export { TablesPage } from './ui/tables-page.tsx';
