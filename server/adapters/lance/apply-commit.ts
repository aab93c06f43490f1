import { AppError } from '#shared/api/problem.ts';
import { translateLanceError } from './lance-errors.ts';
import type { OperationKind } from './manifest/transaction.ts';
import type { WriteTarget } from './write-target.ts';

/** One commit: one Lance version. */
export interface Step {
  name: string;
  /** What Lance calls it in the version's transaction. */
  operation: OperationKind;
  run(): Promise<unknown>;
}

const tries = 6;
const isRetryable = (error: unknown): boolean =>
  /Retryable commit conflict|preempted by concurrent transaction|Please retry/i.test(
    error instanceof Error ? error.message : '',
  );

/**
 * Runs one commit. Where another program committed at the same moment and Lance leaves it to the caller to try again
 * (it does for columns, not for rows), it is tried again on the newest version.
 */
export async function commit<T>({ handle, table, home }: WriteTarget, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === tries || !isRetryable(error))
        throw translateLanceError(error, { table, home: home.path });
      await handle.checkoutLatest();
    }
  }
}

/** After a commit: what Lance did must be what was planned. */
export function assertCounts({ table }: WriteTarget, what: string, done: number, planned: number): void {
  if (done === planned) return;
  throw new AppError({
    code: 'CONFLICT',
    message: `Another program changed ${table} at the same moment: ${done} rows were ${what} and not ${planned}.`,
    hint: 'Look at what changed and try again.',
  });
}
