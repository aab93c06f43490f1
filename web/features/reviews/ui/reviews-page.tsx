import { CircleCheck, FileDiff, GitPullRequestArrow, MessageSquare, Search } from 'lucide-react';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location';
import type { ReviewStanding, ReviewSummary } from '#shared/api/reviews.ts';
import { useSession } from '../../../api/index.ts';
import { goTo, reviewPath, tablePath, tablesPath } from '../../../state/addresses.ts';
import { useCommands } from '../../../state/commands.ts';
import { showReviewDialog } from '../../../state/review-dialog.ts';
import { formatAgo, formatCount, formatMoment, formatOf } from '../../../ui/format-quantity.ts';
import {
  Badge,
  Button,
  EmptyState,
  ErrorNote,
  Page,
  PageTitle,
  Segmented,
  Select,
  Skeleton,
  Spacer,
  TruthLine,
} from '../../../ui/index.ts';
import { commitsAhead } from '../../branches/index.ts';
import { parseListView, type ReviewListView, writeListView } from '../model/list-view.ts';
import { standingOf } from '../model/people.ts';
import { useReviews, useStandings } from '../queries.ts';
import styles from './reviews-page.module.css';
import { StandingMarks } from './standing-marks.tsx';
import { StateMark } from './state-mark.tsx';

function useListView(): [ReviewListView, (view: ReviewListView) => void] {
  const search = useSearch();
  const pathname = usePathname();
  const change = (view: ReviewListView) => {
    const text = writeListView(view).toString();
    navigate(text === '' ? pathname : `${pathname}?${text}`, { replace: true });
  };
  return [parseListView(new URLSearchParams(search)), change];
}

/** All reviews: what is open, what was merged, what was closed. */
export function ReviewsPage() {
  const [view, setView] = useListView();
  const [text, setText] = useState(view.text);
  const asked = useDeferredValue(view);
  const list = useReviews({
    state: asked.state,
    ...(asked.table === '' ? {} : { table: asked.table }),
    ...(asked.text.trim() === '' ? {} : { text: asked.text.trim() }),
  });
  const { data: session } = useSession();
  const field = useRef<HTMLInputElement>(null);
  const { counts, reviews, total } = list;
  const standings = useStandings(reviews);
  useEffect(() => {
    document.title = 'Reviews · Curio';
  }, []);
  const step = (by: 1 | -1) => {
    const links = [...document.querySelectorAll<HTMLElement>('[data-review] a[data-title]')];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[
      at < 0 ? (by === 1 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, at + by))
    ]?.focus();
  };
  const whyNone = reviews.length === 0 ? 'There is no review' : null;
  const group = 'Reviews';
  useCommands([
    {
      id: 'reviews.next',
      title: 'Next review',
      group,
      keys: ['j', 'ArrowDown'],
      whyNot: () => whyNone,
      run: () => step(1),
    },
    {
      id: 'reviews.previous',
      title: 'Previous review',
      group,
      keys: ['k', 'ArrowUp'],
      whyNot: () => whyNone,
      run: () => step(-1),
    },
    { id: 'reviews.find', title: 'Find a review', group, keys: ['/'], run: () => field.current?.focus() },
  ]);
  const countOf = (state: 'open' | 'merged' | 'closed', label: string) =>
    counts ? `${label} ${formatCount(counts[state])}` : label;
  const isFiltered = view.table !== '' || view.text.trim() !== '';
  return (
    <Page
      bar={
        <>
          <PageTitle>Reviews</PageTitle>
          <Segmented
            label="State"
            value={view.state}
            onChange={(state) => setView({ ...view, state })}
            options={[
              { value: 'open', label: countOf('open', 'Open') },
              { value: 'merged', label: countOf('merged', 'Merged') },
              { value: 'closed', label: countOf('closed', 'Closed') },
              { value: 'all', label: 'All' },
            ]}
          />
          <Spacer />
          <Select
            label="Table"
            value={view.table === '' ? anyTable : view.table}
            onChange={(table) => setView({ ...view, table: table === anyTable ? '' : table })}
            options={[
              { value: anyTable, label: 'All tables' },
              ...(session?.tables ?? []).map(({ name }) => ({ value: name, label: name })),
            ]}
          />
          <label className={styles.find}>
            <Search aria-hidden />
            <input
              ref={field}
              type="search"
              aria-label="Find reviews"
              placeholder="Words in title or text"
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setView({ ...view, text: event.target.value });
              }}
            />
          </label>
        </>
      }
      truth={
        <TruthLine
          parts={[
            list.isPending ? null : `${formatCount(reviews.length)} of ${formatOf(total, 'review')}`,
            'last changed first',
          ]}
        />
      }
    >
      <div className={styles.scroller}>
        <ErrorNote
          error={list.error}
          title="The reviews cannot be listed."
          onRetry={() => void list.refetch()}
        />
        {list.isPending ? (
          <div className={styles.waiting} aria-hidden>
            {['a', 'b', 'c'].map((key) => (
              <Skeleton key={key} height={58} />
            ))}
          </div>
        ) : reviews.length === 0 ? (
          list.error ? null : (
            <Nothing
              view={view}
              isFiltered={isFiltered}
              onShowAll={() => {
                setText('');
                setView({ state: 'all', table: '', text: '' });
              }}
            />
          )
        ) : (
          <ul aria-label="Reviews" className={styles.list}>
            {reviews.map((review) => (
              <ReviewItem key={review.id} review={review} standing={standings.get(review.id)} />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more ({formatCount(total - reviews.length)} left)
          </Button>
        )}
      </div>
    </Page>
  );
}

const anyTable = '\u0000any';

function ReviewItem({ review, standing: shown }: { review: ReviewSummary; standing?: ReviewStanding }) {
  const { id, table, from, into, title, author, state, createdAt, ended, comments, reviewers } = review;
  const standing = standingOf(review.verdicts);
  const stale = review.verdicts.filter(({ isStale }) => isStale).length;
  return (
    <li className={styles.item} data-review={id}>
      <StateMark state={state} />
      <div className={styles.main}>
        <Link href={reviewPath(id)} className={styles.title} data-title>
          {title}
        </Link>
        <p className={styles.facts}>
          <span>#{id}</span>
          <Link href={tablePath(table)} className={styles.table}>
            {table}
          </Link>
          <span>
            {from} → {into}
          </span>
          <span>by {author}</span>
          <time dateTime={ended?.at ?? createdAt} title={formatMoment(ended?.at ?? createdAt)}>
            {ended ? `${state} ${formatAgo(ended.at)} by ${ended.by}` : `opened ${formatAgo(createdAt)}`}
          </time>
        </p>
      </div>
      {shown && <StandingMarks standing={shown} />}
      {state === 'open' && reviewers.length > 0 && (
        <span className={styles.quiet}>asked: {reviewers.join(', ')}</span>
      )}
      {standing === 'approved' && (
        <span className={styles.approved}>
          <CircleCheck aria-hidden /> {formatOf(review.verdicts.length, 'approval')}
          {stale > 0 && <span className={styles.quiet}>({stale} of an earlier version)</span>}
        </span>
      )}
      {standing === 'changes-requested' && (
        <span className={styles.wanted}>
          <FileDiff aria-hidden /> changes requested
        </span>
      )}
      {comments.threads > 0 && (
        <span
          className={styles.threads}
          title={`${formatOf(comments.threads, 'thread')}, ${comments.unresolved} open`}
        >
          <MessageSquare aria-hidden />
          {comments.threads}
          <span className="visually-hidden"> threads, {comments.unresolved} open</span>
        </span>
      )}
    </li>
  );
}

interface NothingProps {
  view: ReviewListView;
  isFiltered: boolean;
  onShowAll: () => void;
}

/** No review: how to open one, from a branch that has something to show. */
function Nothing({ view, isFiltered, onShowAll }: NothingProps) {
  const { data: session } = useSession();
  const offers = (session?.tables ?? [])
    .flatMap((table) =>
      table.branches
        .filter((branch) => branch.parent !== null && commitsAhead(branch) > 0)
        .map((branch) => ({ table: table.name, branch })),
    )
    .sort((a, b) => b.branch.updatedAt.localeCompare(a.branch.updatedAt))
    .slice(0, 5);
  if (isFiltered || view.state !== 'open') {
    return (
      <EmptyState
        icon={<GitPullRequestArrow />}
        title={
          isFiltered
            ? 'No review passes this filter'
            : `No ${view.state === 'all' ? '' : `${view.state} `}review yet`
        }
        action={<Button onClick={onShowAll}>Show all reviews</Button>}
      >
        Reviews of every table and state are kept for ever.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<GitPullRequestArrow />}
      title="No review is open"
      action={
        offers.length === 0 && (
          <Button look="primary" onClick={() => goTo(tablesPath)}>
            All tables
          </Button>
        )
      }
    >
      {offers.length === 0 ? (
        'A review asks others to look at what a branch changed before it lands. Make a branch of a table, change rows on it, and press Review beside its name.'
      ) : (
        <>
          <p>
            A review asks others to look at what a branch changed before it lands. These have something to
            show:
          </p>
          <ul className={styles.offers} aria-label="Branches with changes">
            {offers.map(({ table, branch }) => (
              <li key={`${table}/${branch.name}`} className={styles.offer}>
                <span className={styles.offerName}>
                  {table} · <strong>{branch.name}</strong>
                </span>
                <Badge>{formatOf(commitsAhead(branch), 'commit')} ahead</Badge>
                <Button
                  size="s"
                  onClick={() =>
                    showReviewDialog({
                      kind: 'open',
                      table,
                      from: branch.name,
                      into: branch.parent?.branch ?? 'main',
                    })
                  }
                >
                  Open a review…
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </EmptyState>
  );
}
