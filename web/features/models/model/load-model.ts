import { AppError, abortedError } from '#shared/api/problem.ts';
import type { LoadedModel, LoadMessage, LoadRequest } from './worker-messages.ts';

/** What the page holds of one file at most. */
export const maxModelBytes = 768 * 1024 * 1024;
export const maxModelFaces = 8_000_000;

export interface LoadOptions {
  maxPoints: number;
  onProgress: (done: number, total: number | null) => void;
  signal: AbortSignal;
}

/** Fetches and reads a model off the main thread. Errors as `readModel`; ABORTED when the signal says so. */
export function loadModel(url: string, { maxPoints, onProgress, signal }: LoadOptions): Promise<LoadedModel> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(abortedError());
      return;
    }
    const worker = new Worker(new URL('./read-model.worker.ts', import.meta.url), { type: 'module' });
    const end = () => {
      worker.terminate();
      signal.removeEventListener('abort', onAbort);
    };
    const onAbort = () => {
      end();
      reject(abortedError());
    };
    signal.addEventListener('abort', onAbort, { once: true });
    worker.onmessage = ({ data }: MessageEvent<LoadMessage>) => {
      if (data.kind === 'progress') {
        onProgress(data.done, data.total);
        return;
      }
      end();
      if (data.kind === 'model') resolve(data.model);
      else reject(new AppError({ code: data.code, message: data.message, hint: data.hint }));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end();
      reject(
        new AppError({
          code: 'INTERNAL',
          message: 'The reader of 3D models stopped.',
          hint: 'Reload the page; download the model to look at it elsewhere.',
        }),
      );
    };
    const request: LoadRequest = {
      url: new URL(url, location.href).href,
      limits: { maxPoints, maxFaces: maxModelFaces },
      maxBytes: maxModelBytes,
    };
    worker.postMessage(request);
  });
}
