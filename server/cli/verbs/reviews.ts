import type { ReviewList } from '#shared/api/reviews.ts';
import { exitCode } from '../exit-codes.ts';
import { choiceOf, isSet } from '../parse-command.ts';
import { formatColumns } from '../print.ts';
import { UsageError } from '../usage.ts';
import { writeLine } from '../write-out.ts';
import type { RunVerb } from './run-context.ts';

const states = ['open', 'merged', 'closed', 'all'] as const;

export const runReviews: RunVerb = async ({ client, command, out, err, signal }) => {
  const [table, ...others] = command.positionals;
  if (others.length > 0) throw new UsageError('reviews takes one table at most.');
  const state = choiceOf(command, 'state', states) ?? 'open';
  const query = { state, limit: '500', ...(table === undefined ? {} : { table }) };
  const list = await client.json<ReviewList>('listReviews', { query, signal });
  if (isSet(command, 'json')) await writeLine(out, JSON.stringify(list));
  else if (list.reviews.length === 0)
    await writeLine(err, `There are no ${state === 'all' ? '' : `${state} `}reviews.`);
  else {
    const rows = list.reviews.map((review) => [
      review.id,
      review.state,
      review.table,
      `${review.from} → ${review.into}`,
      review.author,
      review.updatedAt.slice(0, 10),
      review.title,
    ]);
    await writeLine(
      out,
      formatColumns(['id', 'state', 'table', 'branches', 'author', 'changed', 'title'], rows, () => false),
    );
    if (list.total > list.reviews.length)
      await writeLine(err, `The first ${list.reviews.length} of ${list.total}`);
  }
  return exitCode.ok;
};
