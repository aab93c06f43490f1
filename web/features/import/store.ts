import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { emptyDraft, type ImportDraft, type PickedFile, planDraft } from './model.ts';

/** Files on their way to the server, before there is a job. */
export interface Upload {
  id: number;
  name: string;
  sentBytes: number;
  totalBytes: number;
  startedAtMs: number;
  abort: () => void;
}

/** An import that failed once its dialog was closed; its draft is kept. */
export interface FailedImport {
  id: number;
  draft: ImportDraft;
  error: unknown;
}

export interface ImportState {
  isOpen: boolean;
  draft: ImportDraft;
  error: unknown;
  uploads: readonly Upload[];
  failed: readonly FailedImport[];
  /** Drafts of jobs that run, so that a failed one can be changed and tried again. */
  draftsByJob: Readonly<Record<string, ImportDraft>>;
}

export const importStore = createStore<ImportState>(() => ({
  isOpen: false,
  draft: emptyDraft,
  error: null,
  uploads: [],
  failed: [],
  draftsByJob: {},
}));

const { setState, getState } = importStore;

export const useImportStore = <T>(select: (state: ImportState) => T): T => useStore(importStore, select);

/** Opens the dialog, with files if there are any; what was typed before stays. */
export function openImport(files: readonly PickedFile[] = [], taken: readonly string[] = []): void {
  const { draft } = getState();
  const next = files.length === 0 ? draft : planDraft(draft, { origin: 'files', files: [...files] }, taken);
  setState({ isOpen: true, draft: next, error: files.length === 0 ? getState().error : null });
}

/** Opens the dialog with a draft that failed. */
export function reopenImport(draft: ImportDraft, error: unknown = null): void {
  setState({ isOpen: true, draft, error });
}

export const closeImport = (): void => setState({ isOpen: false });

export const changeDraft = (patch: Partial<ImportDraft>, taken: readonly string[]): void =>
  setState(({ draft }) => ({ draft: planDraft(draft, patch, taken), error: null }));

export const setImportError = (error: unknown): void => setState({ error });

export const addUpload = (upload: Upload): void =>
  setState(({ uploads }) => ({ uploads: [...uploads, upload] }));

export const moveUpload = (id: number, sentBytes: number, totalBytes: number): void =>
  setState(({ uploads }) => ({
    uploads: uploads.map((one) => (one.id === id ? { ...one, sentBytes, totalBytes } : one)),
  }));

export const dropUpload = (id: number): void =>
  setState(({ uploads }) => ({ uploads: uploads.filter((one) => one.id !== id) }));

export const addFailed = (failed: FailedImport): void =>
  setState((state) => ({ failed: [...state.failed, failed] }));

export const dropFailed = (id: number): void =>
  setState(({ failed }) => ({ failed: failed.filter((one) => one.id !== id) }));

/** The job has the draft now: the dialog starts afresh. */
export function handOver(jobId: string, draft: ImportDraft): void {
  setState((state) => ({
    draftsByJob: { ...state.draftsByJob, [jobId]: draft },
    ...(state.draft === draft ? { draft: emptyDraft, error: null, isOpen: false } : {}),
  }));
}
