import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kindOfEnding } from '#shared/domain/media-endings.ts';

type LinkRole = 'image' | 'video' | 'audio' | 'blob';

const lookedFor = 3;

const kindOf = (link: string): LinkRole | null => {
  const kind = kindOfEnding(link);
  if (kind === 'model') return 'blob';
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : null;
};

/**
 * Says which media the texts of a column name: all by the same kind of ending, and some of the first are there, below a
 * place; null where they name none.
 */
export function createLinkRole(places: readonly string[]): (texts: readonly string[]) => LinkRole | null {
  const sites = places.filter((place) => /^https?:/i.test(place));
  const folders = places.filter((place) => !/^https?:/i.test(place)).map(realPath);
  const isThere = (link: string): boolean => {
    if (/^https?:/i.test(link)) return sites.some((site) => link.startsWith(site));
    const path = /^file:/i.test(link) && URL.canParse(link) ? fileURLToPath(link) : link;
    const candidates = isAbsolute(path) ? [path] : folders.map((folder) => join(folder, path));
    return candidates.some((candidate) => {
      const real = existsSync(candidate) ? realPath(candidate) : null;
      return real !== null && folders.some((folder) => real.startsWith(folder + sep));
    });
  };
  return (texts) => {
    const links = texts.map((text) => text.trim()).filter((text) => text !== '' && !text.includes('\0'));
    const kind = places.length > 0 && links[0] ? kindOf(links[0]) : null;
    if (kind === null || links.some((link) => kindOf(link) !== kind)) return null;
    return links.slice(0, lookedFor).some(isThere) ? kind : null;
  };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
