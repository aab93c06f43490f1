import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Link } from 'wouter';
import { isAppError } from '#shared/api/problem.ts';
import type { BranchInfo } from '#shared/api/tables.ts';
import { mainBranch } from '#shared/domain/ref.ts';
import { useTableDetail, useTableSummary } from '../../../api/index.ts';
import { comparePath, goTo, tablePath } from '../../../state/addresses.ts';
import { type BranchStep, closeBranchStep, useBranchStep } from '../../../state/branch-steps.ts';
import { formatOf } from '../../../ui/format-quantity.ts';
import { Button, Dialog, ErrorNote, Field, Note, Select, Skeleton, TextField } from '../../../ui/index.ts';
import { describeRef, listRefOptions, readRef } from '../../branches/index.ts';
import { describeStepPlan, stepWords } from '../model/step-words.ts';
import { landRestore, landStep } from '../run-step.ts';
import { useStepPlan } from '../use-step-plan.ts';
import { StepConflicts } from './step-conflicts.tsx';
import styles from './step-dialog.module.css';
import { StepTarget } from './step-target.tsx';

/** The dialog of the step that was opened: what it would do, its conflicts, and the button that does it. */
export function StepDialog() {
  const step = useBranchStep();
  if (!step) return null;
  return <KnownStep key={JSON.stringify(step)} step={step} />;
}

function KnownStep({ step }: { step: BranchStep }) {
  const summary = useTableSummary(step.table);
  return summary ? <OneStep step={step} branches={summary.branches} /> : null;
}

/** No ref is written so. */
const nothing = ':';

const ofStep = (step: BranchStep): string =>
  step.kind === 'cherry-pick' ? (step.into ?? mainBranch) : step.branch;

function OneStep({ step, branches }: { step: BranchStep; branches: readonly BranchInfo[] }) {
  const wanted = ofStep(step);
  const isProtected = (name: string) => branches.find((one) => one.name === name)?.isProtected ?? false;
  const [branch, setBranch] = useState<string | null>(isProtected(wanted) ? null : wanted);
  return (
    <Dialog
      isOpen
      size="m"
      onOpenChange={closeBranchStep}
      title={stepWords(step, branch ?? wanted).title}
      description={stepWords(step, branch ?? wanted).description}
    >
      {branch === null || step.kind === 'cherry-pick' ? (
        <StepTarget step={step} wanted={wanted} branch={branch} branches={branches} onBranch={setBranch} />
      ) : null}
      {branch !== null && <Plan key={branch} step={step} branch={branch} wanted={wanted} />}
    </Dialog>
  );
}

interface PlanProps {
  step: BranchStep;
  branch: string;
  /** Where it was meant to go; another than `branch` where that is protected. */
  wanted: string;
}

function Plan({ step, branch, wanted }: PlanProps) {
  const { table } = step;
  const client = useQueryClient();
  const formId = useId();
  const detail = useTableDetail(table, branch);
  const [ref, setRef] = useState<string | null>(step.kind === 'restore' ? (step.ref ?? null) : null);
  const [message, setMessage] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [hasMoved, setMoved] = useState(false);
  const planned = useStepPlan({ step, branch, ref });
  const { plan, restore, conflicts, choices } = planned;
  const words = stepWords(step, branch);
  const text = message.trim() === '' ? words.message : message.trim();
  const whyNot = whyNotDone({ step, ref, planned, branch });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (whyNot !== null || isBusy) return;
    setBusy(true);
    setError(null);
    try {
      if (step.kind === 'restore')
        await landRestore(client, {
          step,
          branch,
          ref: ref ?? '',
          message: message.trim() === '' ? `Restored ${branch} to ${describeRef(readRef(ref ?? ''))}` : text,
        });
      else {
        const expected = plan ? { from: plan.from.version, into: plan.into.version } : undefined;
        const result = await landStep(
          client,
          {
            step,
            branch,
            message: text,
            ...choices,
            ...(expected ? { expected: step.kind === 'revert' ? { into: expected.into } : expected } : {}),
          },
          text,
        );
        if (result.status === 'conflicts') return planned.refetch();
      }
      closeBranchStep();
      if (branch !== wanted && step.kind !== 'cherry-pick') goTo(comparePath(table, branch, wanted));
      else if (step.kind === 'cherry-pick') goTo(tablePath(table, { ref: branch, view: 'history' }));
    } catch (failure) {
      if (isAppError(failure) && failure.code === 'HEAD_MOVED') {
        setMoved(true);
        planned.refetch();
      } else setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form id={formId} className={styles.form} onSubmit={submit}>
      {step.kind === 'restore' && (
        <Field label="To">
          <Select
            label="To"
            value={ref ?? nothing}
            onChange={(next) => next !== nothing && setRef(next)}
            options={[
              ...(ref === null ? [{ value: nothing, label: 'Choose a branch, tag or version' }] : []),
              ...listRefOptions({
                branches: detail.data?.branches ?? [],
                tags: detail.data?.tags ?? [],
                refText: ref ?? branch,
              })
                .filter(({ value }) => value !== branch)
                .map(({ value, label, group }) => ({
                  value,
                  label,
                  ...(group === 'Tags' ? { hint: 'tag' } : {}),
                })),
            ]}
          />
        </Field>
      )}
      {hasMoved && (
        <Note tone="warn">
          {branch} moved meanwhile: this is what would happen now. Your choices are kept.
        </Note>
      )}
      <ErrorNote error={planned.error} title="This cannot be done." onRetry={planned.refetch} />
      {!planned.error && (plan || restore) ? (
        <p className={styles.plan} role="status" aria-label="Plan">
          {restore
            ? describeRestore(restore, branch)
            : plan && plan.status !== 'conflicts'
              ? describeStepPlan(plan, branch)
              : 'Once the conflicts are settled, what would change stands here.'}
          {seePath(step, branch, ref) && (
            <Link href={seePath(step, branch, ref) ?? ''} onClick={closeBranchStep}>
              {step.kind === 'restore' ? 'See what would be undone' : 'See every change'}
            </Link>
          )}
        </p>
      ) : (
        planned.isPending && <Skeleton height={36} />
      )}
      {conflicts.length > 0 && (
        <StepConflicts
          conflicts={conflicts}
          total={plan?.status === 'conflicts' ? plan.conflictCount : 0}
          book={planned.book}
          onBook={planned.setBook}
          sides={words.sides}
          columns={detail.data?.columns ?? []}
        />
      )}
      <TextField
        label="Message"
        placeholder={words.message}
        value={message}
        onChange={setMessage}
        autoFocus
      />
      <ErrorNote error={error} title={`Nothing was done; ${branch} is as it was.`} />
      <div className={styles.buttons}>
        <Button onClick={closeBranchStep}>Cancel</Button>
        <Button look="primary" type="submit" whyNot={whyNot} isBusy={isBusy}>
          {words.action}
        </Button>
      </div>
    </form>
  );
}

interface WhyNotInput {
  step: BranchStep;
  ref: string | null;
  planned: ReturnType<typeof useStepPlan>;
  branch: string;
}

function whyNotDone({ step, ref, planned, branch }: WhyNotInput): string | null {
  if (step.kind === 'restore' && ref === null) return 'Choose what to go back to.';
  if (planned.error) return 'It cannot be done as it is.';
  const { plan, restore } = planned;
  if (!plan && !restore) return 'What it would do is still being found out.';
  if (plan?.status === 'conflicts') return `${formatOf(plan.conflictCount, 'conflict')} left to settle.`;
  if (plan?.status === 'up-to-date') return `${branch} has all of this already.`;
  return restore && isNothing(restore) ? `${branch} is like that already.` : null;
}

type Restored = NonNullable<ReturnType<typeof useStepPlan>['restore']>;

const isNothing = ({ rows, columns }: Restored): boolean =>
  rows.added + rows.removed + rows.modified === 0 &&
  columns.added.length + columns.removed.length + columns.changed.length + columns.facts.length === 0;

const describeRestore = ({ rows, columns }: Restored, branch: string): string =>
  describeStepPlan(
    {
      status: isNothing({ rows, columns } as Restored) ? 'up-to-date' : 'ready',
      rows: { inserted: rows.added, updated: rows.modified, deleted: rows.removed },
      columns: { added: columns.added },
      conflictCount: 0,
    },
    branch,
  );

/** Where the changes of the step can be looked at one by one. */
function seePath(step: BranchStep, branch: string, ref: string | null): string | null {
  if (step.kind === 'rebase') return comparePath(step.table, step.onto, branch);
  const back = step.kind === 'restore' && ref !== null ? readRef(ref) : null;
  return back?.kind === 'branch' && back.branch === branch && ref !== null
    ? comparePath(step.table, branch, ref)
    : null;
}
