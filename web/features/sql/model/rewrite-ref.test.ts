import { expect, test } from 'vitest';
import { AppError } from '#shared/api/problem.ts';
import { applyRefChange, planRefChange } from './rewrite-ref.ts';

const tables = [{ name: 'clips', branches: [{ name: 'main' }, { name: 'exp' }] }];
const gone = (path: string) =>
  new AppError({ code: 'GONE', message: 'It is gone.', issues: [{ path, message: 'It is gone.' }] });

test('a version that is gone becomes its branch, a branch that is gone the table', () => {
  const plan = (name: string) => planRefChange(gone(name), `SELECT * FROM "${name}"`, tables);
  expect(
    ['clips@main:1', 'clips@exp:3', 'clips@exp', 'clips@old:4', 'clips@tag:v1', 'Clips@main:1'].map(plan),
  ).toEqual([
    { from: 'clips@main:1', to: 'clips' },
    { from: 'clips@exp:3', to: '"clips@exp"' },
    { from: 'clips@exp', to: 'clips' },
    { from: 'clips@old:4', to: 'clips' },
    { from: 'clips@tag:v1', to: 'clips' },
    { from: 'Clips@main:1', to: 'Clips' },
  ]);
});

test('nothing is offered where the text does not name it, or something else is wrong', () => {
  expect(planRefChange(gone('clips@main:1'), 'SELECT * FROM clips', tables)).toBeNull();
  expect(planRefChange(gone('clips'), 'SELECT * FROM clips', tables)).toBeNull();
  expect(planRefChange(gone('other@main:1'), 'FROM "other@main:1"', tables)).toBeNull();
  const other = new AppError({
    code: 'SQL_BIND',
    message: 'No.',
    issues: [{ path: 'clips@x', message: '' }],
  });
  expect(planRefChange(other, 'FROM "clips@x"', tables)).toBeNull();
});

test('names are changed, texts and comments that read alike are not', () => {
  const sql = `SELECT '"clips@main:1"' -- "clips@main:1"\nFROM "clips@main:1" a JOIN "CLIPS@main:1" b USING (id)`;
  expect(applyRefChange(sql, { from: 'clips@main:1', to: 'clips' })).toBe(
    `SELECT '"clips@main:1"' -- "clips@main:1"\nFROM clips a JOIN clips b USING (id)`,
  );
});
