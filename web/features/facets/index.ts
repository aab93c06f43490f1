export { describeScope } from './model/describe-scope.ts';
export { FacetCard } from './ui/facet-card.tsx';
export { FacetRail } from './ui/facet-rail.tsx';
export { type LinkedFacets, useFacets } from './use-facets.ts';
