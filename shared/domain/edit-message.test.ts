import { expect, test } from 'vitest';
import { describeEdit } from './edit-message.ts';
import type { EditOp } from './edits.ts';

const rows = { all: true as const };
const changed = { inserted: 1, updated: 12, deleted: 2 };

test.each<[EditOp[], string]>([
  [[{ op: 'set', rows, values: { label: 'x' } }], 'Set label on 12 rows'],
  [[{ op: 'set', rows, values: { a: 1, b: 2, c: 3 } }], 'Set a, b and c on 12 rows'],
  [[{ op: 'set', rows, values: { a: 1, b: 2, c: 3, d: 4, e: 5 } }], 'Set a, b, c and 2 more on 12 rows'],
  [[{ op: 'setSql', rows, values: { n: 'n + 1' } }], 'Computed n on 12 rows'],
  [
    [{ op: 'tag', rows, column: 'tags', add: ['good', 'new'], remove: ['bad'] }],
    'Tagged tags of 12 rows: added “good” and “new” and removed “bad”',
  ],
  [[{ op: 'insert', rows: [{}] }], 'Inserted 1 row'],
  [[{ op: 'delete', rows }], 'Deleted 2 rows'],
  [
    [
      { op: 'delete', rows },
      { op: 'addColumn', name: 'score', type: 'int32' },
    ],
    'Deleted 2 rows; added the column score',
  ],
  [
    [
      { op: 'dropColumn', name: 'a' },
      { op: 'renameColumn', name: 'b', to: 'c' },
    ],
    'Dropped the column a; renamed the column b to c',
  ],
  [
    [
      { op: 'set', rows, values: { a: 1 } },
      { op: 'set', rows, values: { a: 2 } },
    ],
    'Set a on 12 rows',
  ],
])('%j', (ops, message) => {
  expect(describeEdit(ops, changed)).toBe(message);
});
