import { AppError } from '#shared/api/problem.ts';
import type { MediaPlaces } from '../../ports/media-places.ts';
import { openFileLink, readFolderPlaces } from './file-link.ts';
import { openWebLink, readWebPlaces } from './web-link.ts';

const isWeb = (text: string): boolean => /^https?:\/\//i.test(text);

/** Opens links below the folders and addresses that were named when the server was started. */
export function createMediaPlaces(places: readonly string[]): MediaPlaces {
  const folders = readFolderPlaces(places.filter((place) => !isWeb(place)));
  const sites = readWebPlaces(places.filter(isWeb));
  return {
    hasAny: places.length > 0,
    async open({ link, ...range }, context) {
      if (places.length === 0)
        throw new AppError({
          code: 'FORBIDDEN',
          message: 'No place for media outside of the tables is registered.',
          hint: 'Start Curio with CURIO_PLACES, naming the folders and addresses that cells may point into.',
        });
      return isWeb(link)
        ? openWebLink({ link, sites, ...range }, context)
        : openFileLink({ link, folders: await folders, ...range }, context);
    },
  };
}
