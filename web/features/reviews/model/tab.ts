export type ReviewTab = 'conversation' | 'changes';

/** Which half of a review the address shows. */
export const parseTab = (search: URLSearchParams): ReviewTab =>
  search.get('tab') === 'changes' ? 'changes' : 'conversation';

/** Inverse of {@link parseTab}: sets and deletes only its own parameter. */
export function writeTab(tab: ReviewTab, search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  if (tab === 'changes') next.set('tab', tab);
  else next.delete('tab');
  return next;
}
