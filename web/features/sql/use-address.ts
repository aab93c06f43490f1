import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { usePathname, useSearch } from 'wouter/use-browser-location';
import { useStore } from 'zustand';
import { goTo, parseAddress, queryPath, sqlPath } from '../../state/addresses.ts';
import { formatSqlLink, maxLinkLength, parseSqlLink } from './model/sql-link.ts';
import { asAppError } from './runs.ts';
import { openQuery } from './saved.ts';
import { activeTab, isDirty, openStatement, type SqlTab, sqlStore } from './store.ts';

/** The address that shows a tab: that of its query while nothing was changed, else its text; too long a text has none. */
export function addressOfTab(tab: SqlTab): string {
  if (tab.saved && !isDirty(tab)) {
    const isPinned = Object.keys(tab.refs).length > 0 || Object.keys(tab.saved.refs).length === 0;
    return `${queryPath(tab.saved.id)}${isPinned ? '' : '?at=latest'}`;
  }
  const link = formatSqlLink(tab);
  return link.length > maxLinkLength ? sqlPath : link;
}

const restMs = 400;

/** A query that an address names and that cannot be shown. */
export interface NoQuery {
  id: string;
  error: Error;
}

/** Opens what the address names, and keeps the address at what the active tab shows. */
export function useAddress(): NoQuery | null {
  const client = useQueryClient();
  const address = usePathname() + searchOf(useSearch());
  const own = useRef<string | null>(null);
  const [missing, setMissing] = useState<NoQuery | null>(null);
  const [isOpening, setOpening] = useState(false);
  useEffect(() => {
    if (own.current === address) return;
    own.current = address;
    const url = new URL(address, location.href);
    const shown = parseAddress(url.pathname);
    const link = parseSqlLink(url.search);
    setMissing(null);
    if (shown.screen === 'sql' && shown.queryId !== undefined) {
      const { queryId: id } = shown;
      const at = url.searchParams.get('at') === 'latest' ? 'latest' : 'pinned';
      setOpening(true);
      openQuery(id, at, client)
        .catch((error: unknown) => setMissing({ id, error: asAppError(error) }))
        .finally(() => setOpening(false));
    } else if (link) openStatement(link.sql, link.refs, { params: link.params, charts: link.charts });
  }, [address, client]);

  const wanted = useStore(sqlStore, (state) => addressOfTab(activeTab(state)));
  useEffect(() => {
    const timer = setTimeout(() => {
      const here = location.pathname + location.search;
      if (missing || isOpening || own.current !== here || parseAddress(location.pathname).screen !== 'sql')
        return;
      const target = new URL(wanted, location.href);
      own.current = target.pathname + target.search;
      if (own.current !== here) goTo(own.current, { replace: true });
    }, restMs);
    return () => clearTimeout(timer);
  }, [wanted, missing, isOpening]);
  return missing;
}

/** As the location has it: with its `?`. */
const searchOf = (search: string): string =>
  search === '' || search.startsWith('?') ? search : `?${search}`;
