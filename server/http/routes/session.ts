import type { sessionApi } from '#shared/api/session.ts';
import packageFacts from '../../../package.json' with { type: 'json' };
import type { Ports } from '../../ports/index.ts';
import { actionsOf, type Principal } from '../../usecases/authorize.ts';
import { homeNotice } from '../../usecases/home-notice.ts';
import { listTables } from '../../usecases/list-tables.ts';
import { countOpenReviews } from '../../usecases/reviews/list-reviews.ts';
import type { Handlers } from '../handler.ts';

const { version } = packageFacts;

export function sessionRoutes(ports: Ports, principal: Principal): Handlers<typeof sessionApi> {
  return {
    health: () => ({ status: 'ok' as const, version }),
    async session({ signal }) {
      const tables = await listTables(ports, { signal });
      const notice = homeNotice(ports.store, tables);
      return {
        version,
        principal,
        may: actionsOf(principal),
        tables,
        jobs: ports.jobs.list().filter(({ state }) => state === 'queued' || state === 'running'),
        reviews: countOpenReviews(ports),
        notices: notice === null ? [] : [notice],
      };
    },
  };
}
