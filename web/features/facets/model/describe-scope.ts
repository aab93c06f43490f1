import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import type { LinkedFacets } from '../use-facets.ts';

/** How many rows match, and which were looked at. */
export function describeScope(linked: LinkedFacets): string[] {
  const { answer, error, matching, isRefining, isStale, isStopped, progress } = linked;
  if (!answer) return isRefining && !error ? ['counting…'] : [];
  const { rows, counted, isSample } = answer;
  const isWhole = matching === counted;
  const share = `${formatCount(matching ?? 0)} of ${formatOf(counted, 'row')} match`;
  if (isStale) return [share, `counting anew${percentOf(progress)}…`];
  if (isSample)
    return [
      ...(isWhole ? [] : [share]),
      `a sample of ${formatCount(counted)} of ${formatCount(rows)}`,
      isStopped
        ? 'not all rows were counted'
        : isRefining
          ? `counting all${percentOf(progress)}…`
          : 'all rows at once would not fit',
    ];
  return isWhole ? [`all ${formatOf(rows, 'row')}`, 'exact'] : [share, 'exact'];
}

/** How far, where that is known and worth a word. */
const percentOf = (progress: LinkedFacets['progress']): string =>
  progress?.total ? `, ${Math.floor((100 * progress.done) / progress.total)} %` : '';
