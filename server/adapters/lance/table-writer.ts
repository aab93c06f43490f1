import type { TableWriter } from '../../ports/table-writer.ts';
import { apply, countSteps } from './apply.ts';
import { settle } from './apply-settle.ts';
import type { LanceHome } from './connect.ts';
import { planEdit } from './plan-edit.ts';
import { restoreBranch } from './restore.ts';
import { mendHome } from './write-mend.ts';

type RowWriter = Pick<TableWriter, 'planEdit' | 'countSteps' | 'apply' | 'settle' | 'restore' | 'mend'>;

/** The part of the writer that changes rows and columns. */
export const createLanceRowWriter = (home: LanceHome): RowWriter => ({
  planEdit: (input, context) => planEdit(home, input, context),
  countSteps: (input, context) => countSteps(home, input, context),
  apply: (input, context) => apply(home, input, context),
  settle: (input, context) => settle(home, input, context),
  restore: (input, context) => restoreBranch(home, input, context),
  mend: (_input, { signal }) => mendHome(home, signal),
});
