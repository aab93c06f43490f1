export { FilterChips, type FilterChipsProps, SortChips } from './ui/filter-chips.tsx';
