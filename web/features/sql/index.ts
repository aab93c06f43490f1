export { formatSqlLink, type SqlLink } from './model/sql-link.ts';
export { SqlPage } from './ui/sql-page.tsx';
