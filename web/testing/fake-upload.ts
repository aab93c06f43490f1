import { vi } from 'vitest';

/** Stands in for `XMLHttpRequest`: what was sent can be moved on and answered by hand. */
export class FakeUpload {
  static sent: FakeUpload[] = [];
  upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = { onprogress: null };
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onabort: (() => void) | null = null;
  status = 0;
  responseText = '';
  form: FormData = new FormData();

  open(): void {}

  send(form: FormData): void {
    this.form = form;
    FakeUpload.sent.push(this);
  }

  abort(): void {
    this.onabort?.();
  }

  move(loaded: number, total: number): void {
    this.upload.onprogress?.({ loaded, total });
  }

  answer(status: number, body: unknown): void {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload?.();
  }
}

export function fakeUploads(): typeof FakeUpload {
  FakeUpload.sent = [];
  vi.stubGlobal('XMLHttpRequest', FakeUpload);
  return FakeUpload;
}
