import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callJson, useOpenReviews, useTableSummary } from '../../../api/index.ts';
import { goTo, reviewPath } from '../../../state/addresses.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import {
  Badge,
  Button,
  ErrorNote,
  Field,
  FormDialog,
  Note,
  Select,
  Skeleton,
  showToast,
  TextArea,
  TextField,
  useSubmit,
} from '../../../ui/index.ts';
import { countChanges } from '../../compare/index.ts';
import { openReview } from '../actions.ts';
import { parseNames } from '../model/people.ts';
import { suggestReview } from '../model/suggest-title.ts';
import { useReviewRules } from '../queries.ts';
import styles from './dialogs.module.css';

export interface OpenReviewDialogProps {
  table: string;
  from: string;
  into: string;
  onClose: () => void;
}

const historyLimit = 200;

/** Asks for a branch to be merged: what it will hold, in which words, and who is to look at it. */
export function OpenReviewDialog({ table, from, into: firstInto, onClose }: OpenReviewDialogProps) {
  const client = useQueryClient();
  const [into, setInto] = useState(firstInto);
  const [title, setTitle] = useState<string | null>(null);
  const [description, setDescription] = useState<string | null>(null);
  const [reviewers, setReviewers] = useState<string | null>(null);
  const branches = useTableSummary(table)?.branches ?? [];
  const rules = useReviewRules(table);
  const same = useOpenReviews(table).find((review) => review.from === from && review.into === into);
  const suggested = useSuggestion(table, from);
  const diff = useQuery({
    queryKey: ['table', table, 'diff', from, into, 'summary'],
    queryFn: ({ signal }) => callJson('diff', { params: { table }, body: { from, into }, signal }),
    staleTime: 15_000,
  });
  const shownTitle = title ?? suggested?.title ?? '';
  const shownDescription = description ?? suggested?.description ?? '';
  const shownReviewers = reviewers ?? rules.data?.rules.reviewers.join(', ') ?? '';
  const isEmpty = diff.data !== undefined && countChanges(diff.data) === 0;
  const whyNot =
    shownTitle.trim() === ''
      ? 'Give the review a title.'
      : isEmpty
        ? `${from} has nothing that ${into} lacks.`
        : same
          ? `Review ${same.id} is open for these branches.`
          : null;
  const { submit, isBusy, error } = useSubmit(async () => {
    const review = await openReview(client, {
      table,
      from,
      into,
      title: shownTitle.trim(),
      description: shownDescription,
      ...(reviewers === null ? {} : { reviewers: parseNames(reviewers) }),
    });
    onClose();
    goTo(reviewPath(review.id));
    showToast(`Opened review ${review.id}`);
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`Review ${from}`}
      description="Asks others to look at what the branch changed, row by row, before it lands."
      action="Open the review"
      whyNot={whyNot}
      isBusy={isBusy}
      onSubmit={submit}
    >
      <TextField
        label="Title"
        name="title"
        value={shownTitle}
        onChange={setTitle}
        maxLength={200}
        placeholder="What changes"
        autoFocus
      />
      <TextArea
        label="Description"
        hint="Why, and what to look at. Markdown, @name."
        value={shownDescription}
        onChange={setDescription}
        rows={5}
      />
      <div className={styles.pair}>
        <Field label="Into">
          <Select
            label="Into"
            value={into}
            onChange={setInto}
            options={branches
              .filter(({ name }) => name !== from)
              .map(({ name, isProtected }) => ({
                value: name,
                label: name,
                ...(isProtected ? { hint: 'protected' } : {}),
              }))}
          />
        </Field>
        <TextField
          label="Reviewers (optional)"
          value={shownReviewers}
          onChange={setReviewers}
          placeholder="ann, ben"
        />
      </div>
      <div className={styles.contents} aria-live="polite">
        <span className={styles.label}>What it holds</span>
        {diff.data ? <Contents diff={diff.data} into={into} /> : diff.error ? null : <Skeleton width={200} />}
      </div>
      {same && (
        <Note
          action={
            <Button
              size="s"
              onClick={() => {
                onClose();
                goTo(reviewPath(same.id));
              }}
            >
              Open it
            </Button>
          }
        >
          Review {same.id} is open for these branches: {same.title}
        </Note>
      )}
      <ErrorNote
        error={diff.error}
        title="What it holds cannot be told."
        onRetry={() => void diff.refetch()}
      />
      <ErrorNote error={error} title="The review was not opened; what you typed is kept." />
    </FormDialog>
  );
}

function useSuggestion(table: string, from: string) {
  const branch = from.split(':')[0] ?? from;
  const { data } = useQuery({
    queryKey: ['table', table, 'history', branch, 'suggest'],
    queryFn: ({ signal }) =>
      callJson('history', { params: { table }, query: { ref: branch, limit: historyLimit }, signal }),
    staleTime: 15_000,
  });
  return data ? suggestReview(branch, data.versions) : null;
}

type Diff = Awaited<ReturnType<typeof callJson<'diff'>>>;

function Contents({ diff, into }: { diff: Diff; into: string }) {
  const { rows, columns, conflicts } = diff;
  if (countChanges(diff) === 0)
    return <p className={styles.quiet}>Nothing: there is no difference to {into}.</p>;
  const columnCount = columns.added.length + columns.removed.length + columns.changed.length;
  return (
    <p className={styles.badges}>
      {(['modified', 'added', 'removed'] as const).map(
        (kind) =>
          rows[kind] > 0 && (
            <Badge key={kind} tone={kind} hasSign>
              {formatCount(rows[kind])} {kind}
            </Badge>
          ),
      )}
      {columnCount > 0 && <Badge tone="accent">{formatOf(columnCount, 'column')}</Badge>}
      {conflicts.cells > 0 && (
        <Badge tone="conflict" hasSign>
          {formatOf(conflicts.cells, 'conflict')} to settle
        </Badge>
      )}
    </p>
  );
}
