import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { guardOrigin } from './guard.ts';

const own = '127.0.0.1:4820';

/** The code that the guard answers with; `null` where it lets the request through. */
function guard(method: string, headers: Record<string, string>): string | null {
  let refusal: { code: string } | undefined;
  guardOrigin(['127.0.0.1'])({ method, headers } as unknown as Request, {} as Response, (error) => {
    refusal = error as { code: string } | undefined;
  });
  return refusal?.code ?? null;
}

test.each<[string, Record<string, string>]>([
  ['GET', { host: own }],
  ['GET', { host: 'localhost:4820' }],
  ['GET', { host: '[::1]:4820' }],
  ['GET', { host: own, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
  ['GET', { host: own, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ['GET', { host: own, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
  ['POST', { host: own }],
  ['POST', { host: own, origin: `http://${own}`, 'sec-fetch-site': 'same-origin' }],
])('%s %j is let through', (method, headers) => {
  expect(guard(method, headers)).toBeNull();
});

test.each<[string, Record<string, string>]>([
  ['GET', {}],
  ['GET', { host: 'evil.example' }],
  ['GET', { host: '127.0.0.1.evil.example:4820' }],
  ['GET', { host: 'localhost@evil.example' }],
  ['GET', { host: own, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['GET', { host: own, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ['POST', { host: own, origin: 'http://evil.example' }],
  ['POST', { host: own, origin: 'http://127.0.0.1:3000' }],
  ['POST', { host: own, origin: `http://${own}.evil.example` }],
  ['POST', { host: own, origin: 'null' }],
  ['POST', { host: own, 'sec-fetch-site': 'cross-site' }],
])('%s %j is refused', (method, headers) => {
  expect(guard(method, headers)).toBe('FORBIDDEN');
});
