import { QueryClientProvider } from '@tanstack/react-query';
import { type RenderResult, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { createQueryClient } from '../api/query-client.ts';
import { Toaster, TooltipProvider } from '../ui/index.ts';

/** Renders a part of the page inside of what the page gives all of its parts. */
export function renderApp(element: ReactElement): RenderResult {
  const client = createQueryClient();
  const wrap = (inner: ReactElement) => (
    <QueryClientProvider client={client}>
      <TooltipProvider>
        {inner}
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>
  );
  const result = render(wrap(element));
  return { ...result, rerender: (next) => result.rerender(wrap(next as ReactElement)) };
}

export interface Asked {
  method: string;
  path: string;
  body: unknown;
}

/** Answers the page's requests in the server's place; `answer` gives a JSON value, bytes of rows, or a Response. Returns what was asked. */
export function fakeServer(answer: (asked: Asked) => unknown): Asked[] {
  const all: Asked[] = [];
  globalThis.fetch = async (input, init) => {
    const asked = {
      method: init?.method ?? 'GET',
      path: decodeURIComponent(String(input)),
      body: typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
    };
    all.push(asked);
    const value = answer(asked);
    if (value instanceof Response) return value;
    return value instanceof Uint8Array ? new Response(value.slice()) : Response.json(value);
  };
  return all;
}
