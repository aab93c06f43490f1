export { ComparePage, type ComparePageProps } from './ui/compare-page.tsx';
