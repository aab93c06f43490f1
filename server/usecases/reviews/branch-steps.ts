import type { VersionInfo } from '#shared/api/tables.ts';
import { formatRef, type PinnedRef } from '#shared/domain/ref.ts';
import type { CallContext } from '../../ports/call.ts';
import { readHistory } from '../history.ts';
import type { ReviewPorts } from './review-ports.ts';

/** The steps of a branch after a version of it, newest first, up to a limit. */
export async function readBranchSteps(
  ports: Pick<ReviewPorts, 'reader' | 'store'>,
  { table, from, since, limit }: { table: string; from: PinnedRef; since: number; limit: number },
  context: CallContext,
): Promise<VersionInfo[]> {
  if (from.version <= since) return [];
  const { versions } = await readHistory(
    ports,
    { table, ref: formatRef(from), limit: Math.min(limit, from.version - since) },
    context,
  );
  return versions.filter(({ branch, version }) => branch === from.branch && version > since);
}
