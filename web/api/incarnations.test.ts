import { expect, it } from 'vitest';
import { addressOf } from './client.ts';
import { noteIncarnations } from './incarnations.ts';

const cell = { table: 'clips', column: 'picture', rowId: '3' };

it('pinned addresses are those of one branch of one table', () => {
  expect(addressOf('blob', cell, { ref: 'main:2' })).toBe(
    '/api/v1/tables/clips/blobs/picture/3?ref=main%3A2',
  );
  noteIncarnations(
    {
      tables: [
        {
          name: 'clips',
          branches: [
            { name: 'main', incarnation: 'aa' },
            { name: 'exp', incarnation: 'bb' },
          ],
        },
      ],
    },
    undefined,
  );
  expect(addressOf('blob', cell, { ref: 'main:2' })).toBe(
    '/api/v1/tables/clips/blobs/picture/3?ref=main%3A2&of=aa',
  );
  expect(addressOf('thumb', cell, { ref: 'exp:2', size: 64 })).toBe(
    '/api/v1/tables/clips/thumbs/picture/3?ref=exp%3A2&size=64&of=bb',
  );
  expect(addressOf('rowsGet', { table: 'clips' }, { q: '{"ref":"main:2"}' })).toBe(
    '/api/v1/tables/clips/rows?q=%7B%22ref%22%3A%22main%3A2%22%7D&of=aa',
  );
  noteIncarnations({ name: 'clips', branches: [{ name: 'main', incarnation: 'cc' }] }, 'clips');
  noteIncarnations({ branches: [{ name: 'exp', incarnation: 'dd' }] }, 'clips');
  expect(addressOf('blob', cell, { ref: 'main:2' })).toMatch(/&of=cc$/);
  expect(addressOf('blob', cell, { ref: 'exp:2' })).toMatch(/&of=dd$/);
});

it('addresses that move, of other routes and of what is not known stay as they are', () => {
  expect(addressOf('blob', cell, { ref: 'main' })).not.toContain('of=');
  expect(addressOf('blob', cell, { ref: 'tag:gold' })).not.toContain('of=');
  expect(addressOf('blob', { ...cell, table: 'other' }, { ref: 'main:2' })).not.toContain('of=');
  expect(addressOf('describeTable', { table: 'clips' }, { ref: 'main:2' })).not.toContain('of=');
  expect(addressOf('rowsGet', { table: 'clips' }, { q: 'not json' })).not.toContain('of=');
});
