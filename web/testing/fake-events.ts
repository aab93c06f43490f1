import { vi } from 'vitest';

/** Stands in for `EventSource`: `send` gives what the server would. */
export class FakeEventSource {
  static open: FakeEventSource[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  isClosed = false;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    FakeEventSource.open.push(this);
  }

  send(value: unknown): void {
    this.onmessage?.({ data: JSON.stringify(value) });
  }

  close(): void {
    this.isClosed = true;
  }
}

export function fakeEvents(): typeof FakeEventSource {
  FakeEventSource.open = [];
  vi.stubGlobal('EventSource', FakeEventSource);
  return FakeEventSource;
}
