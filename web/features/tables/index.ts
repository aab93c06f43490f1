export { TablesPage } from './ui/tables-page.tsx';
