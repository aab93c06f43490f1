import { quoteIdent } from '#shared/sql/ident.ts';
import { reservedWords } from './keywords.ts';

/** A name as one writes it: plain where it can be, else in quotes. */
export const writeName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/i.test(name) && !reservedWords.has(name.toUpperCase()) ? name : quoteIdent(name);

/** What the tree of tables puts on a drag, beside plain text. */
export const nameDragType = 'application/x-curio-name';
