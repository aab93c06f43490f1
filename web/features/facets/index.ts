export { formatInstant } from './model/format-bin.ts';
export { FacetCard } from './ui/facet-card.tsx';
export { FacetRail } from './ui/facet-rail.tsx';
export { FacetsScope } from './ui/facets-scope.tsx';
export { type LinkedFacets, useFacets } from './use-facets.ts';
