import type { Table } from '@lancedb/lancedb';
import { describe, expect, test } from 'vitest';
import {
  type BranchedTable,
  branchTables,
  cellsOf,
  context,
  upsert,
} from '../../../testing/branched-table.ts';
import { type MadeColumn, makeArrowTable } from '../../../testing/columns.ts';
import { apply } from '../apply.ts';
import { settle } from '../apply-settle.ts';

const t = branchTables();

const rows = 12;
const count = <T>(of: (at: number) => T): T[] => Array.from({ length: rows }, (_none, at) => of(at));
const columns = (): Record<string, MadeColumn> => ({
  id: { type: 'int64', values: count(BigInt), metadata: { 'curio:key': '1' } },
  n: { type: 'utf8', values: count(String) },
  x: { type: 'int32', values: count(Number) },
  picture: { type: 'blob', values: count((at) => ({ data: Buffer.alloc(300, at), uri: null })) },
});

const retype = async (table: Table) => {
  await table.addColumns([{ name: 'other', valueSql: 'try_cast(n as bigint)' }]);
  await table.dropColumns(['n']);
  await table.alterColumns([{ path: 'other', rename: 'n' }]);
};

/** What the branch did, one story per kind of step that a merge takes. */
const stories: Record<string, (exp: Table) => Promise<unknown>> = {
  'deletes, updates and new rows': async (exp) => {
    await exp.update({ where: 'id in (1, 2)', values: { x: '11' } });
    await exp.delete('id in (3, 4)');
    await exp.add(
      makeArrowTable({
        id: { type: 'int64', values: [50n] },
        n: { type: 'utf8', values: ['50'] },
        x: { type: 'int32', values: [50] },
        picture: { type: 'blob', values: [{ data: Buffer.from('new'), uri: null }] },
      }),
    );
  },
  'an added column': async (exp) => {
    await exp.addColumns([{ name: 'y', valueSql: 'x * 2' }]);
    await exp.update({ where: 'id = 1', values: { x: '11' } });
  },
  'a retyped column': async (exp) => {
    await retype(exp);
    await exp.update({ where: 'id = 1', values: { n: '11' } });
  },
  'a renamed key, a dropped column, facts': async (exp) => {
    await exp.alterColumns([{ path: 'id', rename: 'number' }]);
    await exp.updateFieldMetadata([{ path: 'n', metadata: { 'curio:description': 'how many' } }]);
    await exp.update({ where: 'number = 1', values: { n: '11' } });
    await exp.delete('number = 4');
    await exp.dropColumns(['x']);
  },
};

class Crash extends Error {}

const applyUpTo = async (
  { home, name }: BranchedTable,
  { head, changeset, steps }: { head: { branch: string; version: number }; changeset: never; steps: number },
): Promise<boolean> => {
  const onProgress = ({ done }: { done: number }) => {
    if (done === steps) throw new Crash();
  };
  return apply(home, { table: name, head, changeset }, { ...context, onProgress }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Crash || (error as { cause?: unknown }).cause instanceof Crash) return false;
      throw error;
    },
  );
};

const contentOf = async (table: Table) => {
  const names = (await table.schema()).fields.map(({ name }) => name).filter((name) => name !== 'picture');
  const facts = (await table.schema()).fields.map(({ metadata }) => metadata.get('curio:description'));
  const ids = (await table.query().select([]).withRowId().toArray()).map((row) => BigInt(row._rowid));
  const pictures = (await table.fetchBlobs('picture', ids)).map((blob) => String(blob)).sort();
  return {
    names: [...names].sort(),
    facts: facts.filter(Boolean),
    cells: await cellsOf(table, [...names].sort()),
    pictures,
  };
};

describe('a merge that crashed after any of its commits is finished, once', () => {
  test.each(Object.entries(stories))('%s', async (_name, story) => {
    const perform = async () => {
      t.next();
      await t.start(columns());
      await story(t.exp);
      await upsert(t.main, ['id'], {
        id: { type: 'int64', values: [9n] },
        n: { type: 'utf8', values: ['99'] },
        x: { type: 'int32', values: [9] },
        picture: { type: 'blob', values: [{ data: Buffer.from('main'), uri: null }] },
      });
    };
    await perform();
    const before = await contentOf(t.main);
    await t.merge();
    const expected = await contentOf(t.main);
    expect(expected).not.toEqual(before);
    let hasEnded = false;
    let finished = 0;
    for (let steps = 1; !hasEnded; steps++) {
      await perform();
      const { into: head } = await t.sides();
      const { changeset } = await t.plan();
      hasEnded = await applyUpTo(t, { head, changeset: changeset as never, steps });
      const settled = await settle(t.home, { table: t.name, head, changeset }, context);
      const place = `after commit ${steps}`;
      expect(await contentOf(t.main), place).toEqual(settled.state === 'finished' ? expected : before);
      expect(await settle(t.home, { table: t.name, head, changeset }, context), place).toEqual(settled);
      if (settled.state === 'finished') finished += 1;
    }
    expect(finished).toBeGreaterThan(1);
  });
});
