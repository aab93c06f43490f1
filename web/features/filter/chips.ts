export { FilterChips, SortChips } from './ui/filter-chips.tsx';
