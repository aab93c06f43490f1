import { isAppError } from '#shared/api/problem.ts';
import { callJson } from '../../api/index.ts';
import { watchJob } from '../jobs/index.ts';
import { type ImportDraft, toImportBody, totalBytes } from './model.ts';
import {
  addFailed,
  addUpload,
  dropUpload,
  handOver,
  importStore,
  moveUpload,
  setImportError,
} from './store.ts';
import { uploadImport } from './upload.ts';

let nextId = 1;

/** Sends a draft and follows its job. A failure stands in the dialog while it shows that draft, else on the tables page. */
export async function startImport(draft: ImportDraft): Promise<void> {
  const id = nextId++;
  try {
    const job =
      draft.origin === 'files'
        ? await sendFiles(id, draft)
        : (await callJson('importTable', { body: toImportBody(draft) as never })).job;
    handOver(job.id, draft);
    watchJob(job);
  } catch (error) {
    if (isAppError(error) && error.code === 'ABORTED') return;
    const state = importStore.getState();
    if (state.isOpen && state.draft === draft) setImportError(error);
    else addFailed({ id, draft, error });
  } finally {
    dropUpload(id);
  }
}

async function sendFiles(id: number, draft: ImportDraft): Promise<{ id: string }> {
  const controller = new AbortController();
  addUpload({
    id,
    name: draft.name,
    sentBytes: 0,
    totalBytes: totalBytes(draft.files),
    startedAtMs: Date.now(),
    abort: () => controller.abort(),
  });
  return uploadImport(draft, {
    onProgress: (sent, total) => moveUpload(id, sent, total),
    signal: controller.signal,
  });
}
