import { AppError } from '#shared/api/problem.ts';

/** Nothing that the contract takes is nested nearly as deep; what serializes values works by recursion. */
const maxDepth = 200;

const refused = (message: string): AppError =>
  new AppError({ code: 'BAD_REQUEST', message, hint: 'The contract is at /api/docs.' });

/**
 * Throws BAD_REQUEST for parsed JSON that is nested too deep, and for the key `__proto__`, which is lost on the way
 * wherever objects are copied.
 */
export function assertPlainJson(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth) throw refused(`The JSON is nested deeper than ${maxDepth} levels.`);
  if (Array.isArray(value)) {
    for (const item of value) assertPlainJson(item, depth + 1);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') throw refused('“__proto__” cannot be a name in the JSON.');
    assertPlainJson(item, depth + 1);
  }
}
