export { SearchBox, type SearchBoxProps } from './ui/search-box.tsx';
