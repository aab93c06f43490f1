import type { FacetsBody, FacetsEvent } from '#shared/api/facets.ts';
import { AppError, formatProblem, isAppError } from '#shared/api/problem.ts';
import type { CallContext, Progress } from '../ports/call.ts';
import type { Ports } from '../ports/index.ts';
import { countFacets } from './count-facets.ts';

/**
 * Linked distributions with how far their counting is; what is newest when the reader is ready for it. What is wrong
 * with the question is thrown before there are events.
 */
export async function followFacets(
  ports: Pick<Ports, 'reader' | 'store' | 'facets'>,
  input: FacetsBody & { table: string },
  { signal }: CallContext,
): Promise<AsyncIterable<FacetsEvent>> {
  let newest: Progress | null = null;
  let end: FacetsEvent | null = null;
  let wake = () => {};
  const isNews = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const begun = isNews();
  const onProgress = (progress: Progress) => {
    newest = progress;
    wake();
  };
  const counted = countFacets(ports, input, { signal, onProgress });
  void counted
    .then(
      (answer): FacetsEvent => ({ answer }),
      (error): FacetsEvent => ({ problem: formatProblem(isAppError(error) ? error : unknown(error)) }),
    )
    .then((last) => {
      end = last;
      wake();
    });
  await begun;
  if (!newest) await counted;

  async function* events(): AsyncGenerator<FacetsEvent> {
    for (;;) {
      if (end) return yield end;
      if (newest) {
        const { done, total, message } = newest as Progress;
        newest = null;
        yield { progress: { done, total, message } };
      } else await isNews();
    }
  }
  return events();
}

function unknown(cause: unknown): AppError {
  return new AppError({ code: 'INTERNAL', message: 'The columns could not be counted.', cause });
}
