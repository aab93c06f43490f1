import { useMemo, useState } from 'react';
import type { MergeResult } from '#shared/api/edits.ts';
import { useTableSummary } from '../../../api/index.ts';
import { Page, TruthLine } from '../../../ui/index.ts';
import { readRef } from '../../branches/index.ts';
import { takesReviewsOnly } from '../model/merge-words.ts';
import type { Comparison } from '../queries.ts';
import { useCompared } from '../use-compared.ts';
import { useReviewOf } from '../use-review-of.ts';
import { ChangesBody } from './changes-body.tsx';
import { CompareBar } from './compare-bar.tsx';
import { MergeBar } from './merge-bar.tsx';
import { MergedBar } from './merged-bar.tsx';

export type ComparePageProps = Comparison;

/** What FROM changes in INTO: every change to be seen, every conflict to be settled, and the merge. */
export function ComparePage({ table, from, into }: ComparePageProps) {
  const comparison = useMemo(() => ({ table, from, into }), [table, from, into]);
  const branches = useTableSummary(table)?.branches;
  const [merged, setMerged] = useState<MergeResult | null>(null);
  const compared = useCompared(comparison);
  const review = useReviewOf(comparison, branches ?? []);
  const isReviewed = takesReviewsOnly({ into: readRef(into), branches });
  const onMerged = (result: MergeResult) => {
    setMerged(result);
    compared.choices.discardDraft();
  };
  return (
    <Page
      bar={<CompareBar comparison={comparison} branches={branches ?? []} summary={compared.state.summary} />}
      truth={<TruthLine parts={compared.truth} />}
    >
      <ChangesBody
        compared={compared}
        foot={
          merged ? (
            <MergedBar comparison={comparison} result={merged} />
          ) : (
            <MergeBar
              whyNot={compared.whyNot}
              review={isReviewed ? review : null}
              onNextConflict={compared.open > 0 ? compared.walk.nextOpen : undefined}
              onMerged={onMerged}
              onMoved={compared.onMoved}
            />
          )
        }
      />
    </Page>
  );
}
