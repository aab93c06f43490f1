import { AppError, type ProblemCode, type TextPlace } from '../../api/problem.ts';

export const maxFilterLength = 1024 * 1024;
/** Nesting, and the length of an operator chain such as `a + b + c`; `and`, `or` and lists may be longer. */
export const maxFilterDepth = 200;

/** Line and column of an offset, both from 1. */
export function placeOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at !== -1; at = before.indexOf('\n', at + 1)) line += 1;
  return { line, column: offset - lineStart + 1 };
}

/** A refusal that knows only the offset; {@link withPlace} turns it into an AppError with line and column. */
export class FilterProblem extends Error {
  readonly code: ProblemCode;
  readonly offset: number;
  readonly hint?: string;

  constructor(code: ProblemCode, message: string, offset: number, hint?: string) {
    super(message);
    this.code = code;
    this.offset = offset;
    this.hint = hint;
  }
}

export const syntaxProblem = (message: string, offset: number, hint?: string): FilterProblem =>
  new FilterProblem('SQL_SYNTAX', message, offset, hint);

export const bindProblem = (message: string, offset: number, hint?: string): FilterProblem =>
  new FilterProblem('SQL_BIND', message, offset, hint);

/** Runs work over a filter's text and gives its refusals their place in it. */
export function withPlace<T>(text: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error;
    const { code, message, hint, offset } = error;
    throw new AppError({ code, message, hint, at: placeOf(text, offset) });
  }
}
