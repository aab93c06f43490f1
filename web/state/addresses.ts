import { navigate } from 'wouter/use-browser-location';

/** What an address shows. The addresses are fixed; names are percent-encoded, `/` in a branch too. */
export type Address =
  | { screen: 'tables' }
  | { screen: 'table'; table: string }
  | { screen: 'compare'; table: string; from: string; into: string }
  | { screen: 'sql'; queryId?: string }
  | { screen: 'jobs' }
  | { screen: 'reviews' }
  | { screen: 'review'; id: string }
  | { screen: 'nowhere' };

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Reads a raw pathname. */
export function parseAddress(pathname: string): Address {
  const [first = '', second, third, fourth, ...rest] = pathname.replace(/^\/|\/$/g, '').split('/');
  if (rest.length > 0) return { screen: 'nowhere' };
  if (first === '' && second === undefined) return { screen: 'tables' };
  if (first === 'jobs' && second === undefined) return { screen: 'jobs' };
  if (first === 'reviews' && second === undefined) return { screen: 'reviews' };
  if (first === 'reviews' && second && third === undefined) return { screen: 'review', id: decode(second) };
  if (first === 'sql' && second === undefined) return { screen: 'sql' };
  if (first === 'q' && second && third === undefined) return { screen: 'sql', queryId: decode(second) };
  if (first !== 't' || !second) return { screen: 'nowhere' };
  if (third === undefined) return { screen: 'table', table: decode(second) };
  if (third !== 'compare' || !fourth) return { screen: 'nowhere' };
  const [from = '', into = 'main'] = decode(fourth).split('...');
  return from && into ? { screen: 'compare', table: decode(second), from, into } : { screen: 'nowhere' };
}

const part = encodeURIComponent;

export const tablesPath = '/';
export const jobsPath = '/jobs';
export const sqlPath = '/sql';
export const reviewsPath = '/reviews';

export const reviewPath = (id: string): string => `/reviews/${part(id)}`;

export const queryPath = (id: string): string => `/q/${part(id)}`;

export interface TableLink {
  /** `main`, `exp`, `exp:12`, `tag:golden`; left out for main. */
  ref?: string;
  view?: string;
  /** Row id for the inspector. */
  row?: string;
  /** Conditions as SQL text. */
  where?: readonly string[];
}

export function tablePath(table: string, { ref, view, row, where }: TableLink = {}): string {
  const search = new URLSearchParams();
  if (ref && ref !== 'main') search.set('ref', ref);
  if (view && view !== 'grid') search.set('view', view);
  for (const condition of where ?? []) search.append('where', condition);
  if (row) search.set('row', row);
  return `/t/${part(table)}${search.size ? `?${search}` : ''}`;
}

export const comparePath = (table: string, from: string, into = 'main'): string =>
  `/t/${part(table)}/compare/${part(from)}...${part(into)}`;

/** Goes to a path of this page. */
export const goTo = (path: string, options: { replace?: boolean } = {}): void => navigate(path, options);
