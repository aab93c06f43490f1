export { describeScope } from './model/describe-scope.ts';
export { formatInstant } from './model/format-bin.ts';
export { FacetCard } from './ui/facet-card.tsx';
export { FacetRail } from './ui/facet-rail.tsx';
export { type LinkedFacets, useFacets } from './use-facets.ts';
