import { useCallback, useMemo } from 'react';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import { type CompareFilter, parseCompareFilter, writeCompareFilter } from './model/compare-filter.ts';

/** The filter of the address, and the way to change it. */
export function useCompareFilter(): [CompareFilter, (filter: CompareFilter) => void] {
  const search = useSearch();
  const pathname = usePathname();
  const filter = useMemo(() => parseCompareFilter(new URLSearchParams(search)), [search]);
  const change = useCallback(
    (next: CompareFilter): void => {
      const text = writeCompareFilter(next, new URLSearchParams(search)).toString();
      navigate(text === '' ? pathname : `${pathname}?${text}`);
    },
    [search, pathname],
  );
  return [filter, change];
}
