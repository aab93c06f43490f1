import type { RequestListener } from 'node:http';
import express from 'express';
import { contract } from '#shared/api/contract.ts';
import { mountDocs } from './http/docs.ts';
import { frontMedia } from './http/front-media.ts';
import { guardOrigin, setSafeHeaders } from './http/guard.ts';
import type { Handlers } from './http/handler.ts';
import { type MountOptions, mountContract, mountProblems } from './http/mount.ts';
import { mountPages } from './http/pages.ts';
import { annotationRoutes } from './http/routes/annotations.ts';
import { compareRoutes } from './http/routes/compare.ts';
import { editRoutes } from './http/routes/edits.ts';
import { facetRoutes } from './http/routes/facets.ts';
import { historyRoutes } from './http/routes/history.ts';
import { importRoutes } from './http/routes/import.ts';
import { jobRoutes } from './http/routes/jobs.ts';
import { mediaRoutes } from './http/routes/media.ts';
import { queryRoutes } from './http/routes/queries.ts';
import { refRoutes } from './http/routes/refs.ts';
import { reviewRoutes } from './http/routes/reviews.ts';
import { rowRoutes } from './http/routes/rows.ts';
import { sessionRoutes } from './http/routes/session.ts';
import { sqlRoutes } from './http/routes/sql.ts';
import { tableRoutes } from './http/routes/tables.ts';
import type { Ports } from './ports/index.ts';
import type { Settings } from './settings.ts';
import { actionOf, type Principal } from './usecases/authorize.ts';

/** The whole HTTP surface over the given ports; listens to nothing. */
export function createApp(ports: Ports, settings: Settings): RequestListener {
  const principal: Principal = { name: 'you', kind: 'local' };
  const handlers: Handlers<typeof contract> = {
    ...sessionRoutes(ports, principal),
    ...tableRoutes(ports),
    ...rowRoutes(ports),
    ...facetRoutes(ports),
    ...refRoutes(ports, principal),
    ...editRoutes(ports, principal),
    ...compareRoutes(ports, principal),
    ...historyRoutes(ports),
    ...importRoutes(ports),
    ...jobRoutes(ports),
    ...mediaRoutes(ports, settings),
    ...annotationRoutes(ports),
    ...sqlRoutes(ports),
    ...queryRoutes(ports, principal),
    ...reviewRoutes(ports),
  };
  const options: MountOptions = { contract, handlers: handlers as never, actions: actionOf, principal };
  const guard = guardOrigin([settings.host]);
  const app = express();
  app.disable('x-powered-by');
  app.use(setSafeHeaders, guard);
  const listener = frontMedia(app, { guard, options });
  mountContract(app, options);
  mountDocs(app);
  mountPages(app);
  mountProblems(app);
  return listener;
}
