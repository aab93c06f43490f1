import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import { parseTab, type ReviewTab, writeTab } from './model/tab.ts';

/** The half of the review that the address shows, and the way to the other. */
export function useTab(): [ReviewTab, (tab: ReviewTab) => void] {
  const search = useSearch();
  const pathname = usePathname();
  const change = (tab: ReviewTab): void => {
    const text = writeTab(tab, new URLSearchParams(location.search)).toString();
    navigate(text === '' ? pathname : `${pathname}?${text}`, { replace: true });
  };
  return [parseTab(new URLSearchParams(search)), change];
}
