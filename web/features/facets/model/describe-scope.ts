import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import type { LinkedFacets } from '../use-facets.ts';

/** How many rows match, and which were looked at. */
export function describeScope({ answer, error, matching, isRefining, isStale }: LinkedFacets): string[] {
  if (!answer) return isRefining && !error ? ['counting…'] : [];
  const { rows, counted, isSample } = answer;
  const isWhole = matching === counted;
  const share = `${formatCount(matching ?? 0)} of ${formatOf(counted, 'row')} match`;
  if (isStale) return [share, 'counting anew…'];
  if (isSample)
    return [
      ...(isWhole ? [] : [share]),
      `a sample of ${formatCount(counted)} of ${formatCount(rows)}`,
      isRefining ? `counting all ${formatCount(rows)} rows…` : 'all rows at once would not fit into memory',
    ];
  return isWhole ? [`all ${formatOf(rows, 'row')}`, 'exact'] : [share, 'exact'];
}
