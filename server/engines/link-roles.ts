import { createHash } from 'node:crypto';
import type { LinkRoles } from '../adapters/lance/pinned-tables.ts';
import { createLinkRole } from '../adapters/places/recognise-links.ts';

/** Recognises texts that name media in the registered places; undefined where there are none. */
export function linkRolesOf(places: readonly string[]): LinkRoles | undefined {
  if (places.length === 0) return undefined;
  const edition = createHash('sha256').update(JSON.stringify(places)).digest('hex').slice(0, 8);
  return { edition: `-${edition}`, roleOf: createLinkRole(places) };
}
