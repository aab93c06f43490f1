import { useEffect, useState } from 'react';
import { isAppError } from '#shared/api/problem.ts';
import { loadModel } from '../model/load-model.ts';
import type { LoadedModel } from '../model/worker-messages.ts';

export type ModelState =
  | { kind: 'loading'; done: number; total: number | null }
  | { kind: 'ready'; model: LoadedModel }
  | { kind: 'failed'; error: unknown };

const start: ModelState = { kind: 'loading', done: 0, total: null };

/** The model behind an address; what was there stays while more of its points are read. */
export function useModel(url: string, maxPoints: number): { state: ModelState; isReading: boolean } {
  const [state, setState] = useState<ModelState>(start);
  const [isReading, setReading] = useState(true);
  useEffect(() => {
    const controller = new AbortController();
    setReading(true);
    loadModel(url, {
      maxPoints,
      signal: controller.signal,
      onProgress: (done, total) =>
        setState((before) => (before.kind === 'loading' ? { kind: 'loading', done, total } : before)),
    }).then(
      (model) => {
        setState({ kind: 'ready', model });
        setReading(false);
      },
      (error: unknown) => {
        if (isAppError(error) && error.code === 'ABORTED') return;
        setState({ kind: 'failed', error });
        setReading(false);
      },
    );
    return () => controller.abort();
  }, [url, maxPoints]);
  return { state, isReading };
}
