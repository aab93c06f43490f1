export { useColumnProfile, useColumnProfiles } from './queries.ts';
export { openFilter } from './store.ts';
export { FilterButton, type FilterProps } from './ui/filter-button.tsx';
