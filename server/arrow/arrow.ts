import { createRequire } from 'node:module';

/**
 * The one copy of apache-arrow on the server: LanceDB's own (CommonJS) instance. The ES module is another instance,
 * whose large types LanceDB does not recognise.
 */
export const arrow = createRequire(import.meta.url)('apache-arrow') as typeof import('apache-arrow');
export type * from 'apache-arrow';
