import { createHash } from 'node:crypto';

/**
 * Tells a branch of a table from any other that ever had their names. It stands in addresses that browsers may keep
 * for ever, so that a name that is used again never shows what was there before.
 */
export const incarnationOf = (uuid: string, branchCreatedAt: string | null): string =>
  createHash('sha256')
    .update(JSON.stringify([uuid, branchCreatedAt || null]))
    .digest('hex')
    .slice(0, 10);
