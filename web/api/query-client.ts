import { QueryClient } from '@tanstack/react-query';
import { isAppError } from '#shared/api/problem.ts';

const isSafeToRepeat = (error: unknown): boolean =>
  isAppError(error) && (error.code === 'ENGINE_CRASHED' || error.code === 'STREAM_BROKEN');

/** Reads are pinned and never go stale; only heads do. A request is repeated once where that is safe, else its error is shown. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        retry: (failures, error) => failures < 1 && isSafeToRepeat(error),
        retryDelay: 300,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
