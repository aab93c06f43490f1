import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { DiffSummary, MergeResult } from '#shared/api/edits.ts';
import type { BranchStep } from '../../state/branch-steps.ts';
import {
  choicesOf,
  emptyStepBook,
  joinConflicts,
  type StepBook,
  type StepConflict,
} from './model/step-conflicts.ts';
import { callStep, planRestore, type StepChoices } from './run-step.ts';

export interface StepPlan {
  plan: MergeResult | null;
  /** Of a restore. */
  restore: DiffSummary | null;
  conflicts: readonly StepConflict[];
  book: StepBook;
  setBook: (book: StepBook) => void;
  choices: StepChoices;
  isPending: boolean;
  error: unknown;
  refetch: () => void;
}

export interface StepPlanInput {
  step: BranchStep;
  /** The branch that changes; `null` while none is chosen. */
  branch: string | null;
  /** What a restore goes back to. */
  ref: string | null;
}

/** What a step would do, asked for anew with every choice; nothing lands by it. */
export function useStepPlan({ step, branch, ref }: StepPlanInput): StepPlan {
  const [book, setBook] = useState<StepBook>(emptyStepBook);
  const [known, setKnown] = useState<readonly StepConflict[]>([]);
  const isRestore = step.kind === 'restore';
  const choices = useMemo(() => choicesOf(known, book), [known, book]);
  const planned = useQuery({
    queryKey: ['step', step, branch, choices],
    queryFn: ({ signal }) => callStep({ step, branch: branch ?? '', ...choices, dryRun: true }, signal),
    enabled: !isRestore && branch !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  const restored = useQuery({
    queryKey: ['step', step, branch, ref],
    queryFn: ({ signal }) => planRestore({ table: step.table, branch: branch ?? '', ref: ref ?? '' }, signal),
    enabled: isRestore && branch !== null && ref !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  const found = planned.data?.conflicts;
  const conflicts = useMemo(() => joinConflicts(known, found ?? []), [known, found]);
  if (conflicts !== known) setKnown(conflicts);
  const query = isRestore ? restored : planned;
  return {
    plan: planned.data ?? null,
    restore: restored.data ?? null,
    conflicts,
    book,
    setBook,
    choices,
    isPending: query.isFetching,
    error: query.error,
    refetch: () => void query.refetch(),
  };
}
