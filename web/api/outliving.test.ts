import { afterEach, expect, test, vi } from 'vitest';
import { fetchOutliving } from './outliving.ts';

afterEach(() => vi.unstubAllGlobals());

test('small bodies outlive the page, as long as all of them together stay below what the browser takes', async () => {
  const open: (() => void)[] = [];
  const kept: boolean[] = [];
  vi.stubGlobal('fetch', (_address: string, { keepalive = false }: RequestInit) => {
    kept.push(keepalive);
    return new Promise<Response>((resolve) => open.push(() => resolve(new Response())));
  });
  const send = (bytes: number) => fetchOutliving('/edits', { method: 'POST', body: 'ä'.repeat(bytes / 2) });
  const first = send(40_000);
  const second = send(40_000);
  expect(kept).toEqual([true, false]);
  open[0]?.();
  await first;
  const third = send(40_000);
  expect(kept).toEqual([true, false, true]);
  for (const answer of open) answer();
  await Promise.all([second, third]);
});
