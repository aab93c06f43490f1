import { AppError, abortedError, Problem, parseProblem } from '#shared/api/problem.ts';
import { addressOf } from '../../api/index.ts';
import { type ImportDraft, toImportFacts } from './model.ts';

export interface UploadOptions {
  onProgress: (sentBytes: number, totalBytes: number) => void;
  signal: AbortSignal;
}

/** The form of an import: facts first, so that the server can refuse before the files travel. */
export function buildImportForm(draft: ImportDraft): FormData {
  const { name, key, options } = toImportFacts(draft);
  const form = new FormData();
  form.append('name', name);
  for (const column of key === undefined ? [] : [key].flat()) form.append('key', column);
  if (options) form.append('options', JSON.stringify(options));
  for (const { path, file } of draft.files) form.append('file', file, path);
  return form;
}

/** Sends files with progress, which `fetch` cannot tell. Gives the job; throws AppError. */
export function uploadImport(
  draft: ImportDraft,
  { onProgress, signal }: UploadOptions,
): Promise<{ id: string }> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortedError());
    const request = new XMLHttpRequest();
    request.open('POST', addressOf('importTable'));
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onload = () => {
      const answer = parseJson(request.responseText);
      if (request.status === 202) return resolve((answer as { job: { id: string } }).job);
      const problem = Problem.safeParse(answer);
      reject(
        problem.success
          ? parseProblem(problem.data)
          : new AppError({
              code: 'UPSTREAM',
              message: `The server answered ${request.status} without saying why.`,
            }),
      );
    };
    request.onerror = () =>
      reject(
        new AppError({
          code: 'UPSTREAM',
          message: 'The upload broke off.',
          hint: 'Is the server still running, and are the files still there? What you chose is kept; try again.',
        }),
      );
    request.onabort = () => reject(abortedError());
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(buildImportForm(draft));
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
