import { useQuery } from '@tanstack/react-query';
import { Problem, parseProblem } from '#shared/api/problem.ts';
import { ErrorNote } from '../../../ui/index.ts';

/** Why a medium cannot be shown, in the server's words. */
export function MediaProblem({ src }: { src: string }) {
  const { data } = useQuery({
    queryKey: ['media-problem', src],
    queryFn: async ({ signal }) => {
      const response = await fetch(src, { signal });
      const parsed = Problem.safeParse(await response.json().catch(() => null));
      return parsed.success ? parseProblem(parsed.data) : new Error('This browser cannot show its format.');
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data ? <ErrorNote error={data} title="It cannot be shown." /> : null;
}
