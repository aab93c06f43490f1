import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { ReviewRules } from '#shared/domain/review-rules.ts';
import { callJson, queryKeys, useTableSummary } from '../../../api/index.ts';
import { showDone } from '../../../state/undo.ts';
import {
  Button,
  Checkbox,
  Dialog,
  ErrorNote,
  Field,
  Select,
  Skeleton,
  Switch,
  TextField,
} from '../../../ui/index.ts';
import { formatNames, parseNames } from '../model/people.ts';
import { reviewKeys, useReviewRules } from '../queries.ts';
import styles from './dialogs.module.css';

type Kept = Awaited<ReturnType<typeof callJson<'getReviewRules'>>>;

/** What must hold before a review of a table is merged, and which branches change by merges only. */
export function RulesDialog({ table, onClose }: { table: string; onClose: () => void }) {
  const { data, error, refetch } = useReviewRules(table);
  const formId = useId();
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={`Review rules of ${table}`}
      description="What must hold before a review of this table can be merged."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={formId} isBusy={isBusy} isDisabled={!data}>
            Save the rules
          </Button>
        </>
      }
    >
      {data ? (
        <RulesForm table={table} formId={formId} kept={data} onBusy={setBusy} onDone={onClose} />
      ) : error ? (
        <ErrorNote error={error} title="The rules cannot be read." onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={240} />
      )}
    </Dialog>
  );
}

interface RulesFormProps {
  table: string;
  formId: string;
  kept: Kept;
  onBusy: (isBusy: boolean) => void;
  onDone: () => void;
}

function RulesForm({ table, formId, kept, onBusy, onDone }: RulesFormProps) {
  const client = useQueryClient();
  const branches = useTableSummary(table)?.branches.map(({ name }) => name) ?? ['main'];
  const [rules, setRules] = useState<ReviewRules>(kept.rules);
  const [approvals, setApprovals] = useState(String(kept.rules.approvalsNeeded));
  const [mayMerge, setMayMerge] = useState(formatNames(kept.rules.mayMerge));
  const [reviewers, setReviewers] = useState(formatNames(kept.rules.reviewers));
  const [protectedBranches, setProtected] = useState<readonly string[]>(kept.protectedBranches);
  const [error, setError] = useState<unknown>(null);
  const change = (part: Partial<ReviewRules>) => setRules((before) => ({ ...before, ...part }));
  const count = Number(approvals);
  const problem =
    Number.isInteger(count) && count >= 0 && count <= 20 ? null : 'A whole number from 0 to 20.';
  const put = async (body: Kept) => {
    client.setQueryData(
      reviewKeys.rules(table),
      await callJson('putReviewRules', { params: { table }, body }),
    );
    void client.invalidateQueries({ queryKey: ['reviews', 'detail'] });
    void client.invalidateQueries({ queryKey: queryKeys.session });
    void client.invalidateQueries({ queryKey: queryKeys.table(table) });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (problem) return;
    const next = {
      rules: {
        ...rules,
        approvalsNeeded: count,
        mayMerge: parseNames(mayMerge),
        reviewers: parseNames(reviewers),
      },
      protectedBranches: [...protectedBranches],
    };
    onBusy(true);
    setError(null);
    try {
      await put(next);
      onDone();
      showDone({ label: `Changed the rules of ${table}`, undo: () => put(kept), redo: () => put(next) });
    } catch (failure) {
      setError(failure);
    } finally {
      onBusy(false);
    }
  };
  const known = [...new Set([...branches, ...protectedBranches])];
  return (
    <form id={formId} className={styles.rules} onSubmit={submit}>
      <div className={styles.group}>
        <TextField
          label="Approvals needed"
          type="number"
          min={0}
          max={20}
          value={approvals}
          onChange={setApprovals}
          error={problem}
          className={styles.number}
        />
        <Switch
          label="Authors may approve their own reviews"
          isOn={rules.mayApproveOwn}
          onChange={(mayApproveOwn) => change({ mayApproveOwn })}
        />
        <Switch
          label="Approvals still count after the branch has changed"
          isOn={rules.countStaleApprovals}
          onChange={(countStaleApprovals) => change({ countStaleApprovals })}
        />
        <Switch
          label="All threads must be resolved"
          isOn={rules.needsResolvedThreads}
          onChange={(needsResolvedThreads) => change({ needsResolvedThreads })}
        />
      </div>
      <div className={styles.group}>
        <span className={styles.label}>Protected branches (their rows change by merges only)</span>
        {known.map((branch) => (
          <Checkbox
            key={branch}
            label={branch}
            isChecked={protectedBranches.includes(branch)}
            isDisabled={branch === 'main'}
            onChange={(isOn) =>
              setProtected(
                isOn ? [...protectedBranches, branch] : protectedBranches.filter((one) => one !== branch),
              )
            }
          />
        ))}
        <Switch
          label="Protected branches take merges of reviews only"
          isOn={rules.mergeByReviewOnly}
          onChange={(mergeByReviewOnly) => change({ mergeByReviewOnly })}
        />
      </div>
      <div className={styles.pair}>
        <TextField
          label="Who may merge"
          hint="Nobody named: all who have the right"
          value={mayMerge}
          onChange={setMayMerge}
          placeholder="ann, ben"
        />
        <TextField
          label="Asked to review by default"
          value={reviewers}
          onChange={setReviewers}
          placeholder="ann, ben"
        />
      </div>
      <div className={styles.pair}>
        <Field label="Squash">
          <Select
            label="Squash"
            value={rules.squash}
            onChange={(squash) => change({ squash })}
            options={[
              { value: 'choose', label: 'Chosen at each merge' },
              { value: 'always', label: 'Always' },
              { value: 'never', label: 'Never' },
            ]}
          />
        </Field>
        <Field label="After a merge">
          <Checkbox
            label="Delete the branch unless told otherwise"
            isChecked={rules.deleteBranchAfterMerge}
            onChange={(deleteBranchAfterMerge) => change({ deleteBranchAfterMerge })}
          />
        </Field>
      </div>
      <ErrorNote error={error} title="The rules are as they were." />
    </form>
  );
}
