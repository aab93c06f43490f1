import { expect, test } from 'vitest';
import { AppError, formatProblem, ProblemCode, parseProblem, problemStatus } from './problem.ts';

test.each(ProblemCode.options)('%s: every field that a reader relies on, hint included', (code) => {
  const problem = formatProblem(new AppError({ code, message: 'It broke.' }), 'r1');
  expect(problem).toEqual({
    type: `urn:curio:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: expect.stringMatching(/\S/),
    status: problemStatus[code],
    detail: 'It broke.',
    code,
    hint: expect.stringMatching(/\.$/),
    requestId: 'r1',
  });
});

test('the hint of the place that threw stands before the general one, and survives the way back', () => {
  const facts = { code: 'EXISTS', message: 'There is a table a already.', hint: 'Call it b.' } as const;
  const problem = formatProblem(new AppError(facts));
  expect(problem.hint).toBe('Call it b.');
  expect(parseProblem(problem)).toMatchObject(facts);
});
