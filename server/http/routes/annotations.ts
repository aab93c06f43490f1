import type { annotationsApi } from '#shared/api/annotations.ts';
import { parseRef } from '#shared/domain/ref.ts';
import type { Ports } from '../../ports/index.ts';
import { exportCrops } from '../../usecases/crops/export-crops.ts';
import { createFactsReader } from '../../usecases/media-facts.ts';
import type { Handlers } from '../handler.ts';

const isPinned = (text: string): boolean => {
  const ref = parseRef(text);
  return ref.kind === 'branch' && ref.version !== undefined;
};

/** What media say about themselves, and what is cut out of them. */
export function annotationRoutes(ports: Ports): Handlers<typeof annotationsApi> {
  const readFacts = createFactsReader(ports);
  return {
    async mediaFacts({ params, query, request, signal }) {
      const { facts } = await readFacts({ ...params, ref: query.ref }, { signal });
      if (isPinned(query.ref)) request.res?.set('Cache-Control', 'private, max-age=31536000, immutable');
      return facts;
    },
    async cropRows({ params, body, principal, signal }) {
      const { id } = await exportCrops(ports, { table: params.table, body, principal }, { signal });
      return { job: { id } };
    },
  };
}
