export { TablePage } from './ui/table-page.tsx';
