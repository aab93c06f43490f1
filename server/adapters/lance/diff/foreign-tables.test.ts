import { connect, type Table } from '@lancedb/lancedb';
import { describe, expect, test } from 'vitest';
import { branchTables, cellsOf, upsert } from '../../../testing/branched-table.ts';
import { type MadeColumn, makeArrowTable } from '../../../testing/columns.ts';
import type { LanceHome } from '../connect.ts';

const t = branchTables();

const columns = (): Record<string, MadeColumn> => ({
  id: { type: 'int64', values: [1n, 2n, 3n, 4n] },
  label: { type: 'utf8', values: ['a', 'b', 'c', 'd'] },
});

/** As another program makes it: no facts of Curio's, whatever it wants of the files. */
const maker =
  (version: string, isStable: boolean) =>
  async (home: LanceHome, name: string, made: Record<string, MadeColumn>): Promise<Table> => {
    const storageOptions = {
      newTableDataStorageVersion: version,
      newTableEnableStableRowIds: String(isStable),
    };
    const connection = await connect(home.path, { readConsistencyInterval: 0, storageOptions });
    return connection.createTable(name, makeArrowTable(made));
  };

const edit = async () => {
  await t.exp.update({ where: 'id = 1', values: { label: 'from' } });
  await t.exp.delete('id = 4');
  await t.exp.add(
    makeArrowTable({ id: { type: 'int64', values: [5n] }, label: { type: 'utf8', values: ['e'] } }),
  );
  await t.main.update({ where: 'id = 2', values: { label: 'into' } });
};

test('a table of the first file format is refused with the way out', async () => {
  await t.start(columns(), { make: maker('legacy', true) });
  await edit();
  await expect(t.summarize()).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    hint: expect.stringContaining('file version 2.0 or later'),
  });
});

describe.each(['2.0', '2.1', '2.2'])('a table of file version %s', (version) => {
  describe.each([true, false])('with stable row ids: %s', (isStable) => {
    test('and no key is compared in full, and is not merged, with the way out', async () => {
      await t.start(columns(), { make: maker(version, isStable) });
      await edit();
      const summary = await t.summarize();
      expect(summary).toMatchObject({
        mode: 'three-way',
        rows: isStable ? { added: 1, removed: 1, modified: 1 } : { added: 2, removed: 2, modified: 0 },
        mergeable: false,
        notices: [expect.stringContaining('has no row key')],
      });
      expect(await t.changed()).toHaveLength(isStable ? 3 : 4);
      await expect(t.plan()).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringContaining('Declare the columns that identify a row'),
      });
    });

    test('is merged once its key is declared, also after a compaction on either side', async () => {
      const declare = (table: Table) =>
        table.updateFieldMetadata([{ path: 'id', metadata: { 'curio:key': '1' } }]);
      for (const compact of [[], ['exp'], ['main'], ['exp', 'main']] as ('exp' | 'main')[][]) {
        t.next();
        await t.start(columns(), { make: maker(version, isStable), before: declare });
        await edit();
        for (const side of compact) await t[side].optimize();
        const place = compact.join(' and ') || 'nowhere';
        expect(await t.summarize(), place).toMatchObject({
          rows: { added: 1, removed: 1, modified: 1 },
          cells: { label: 1 },
          mergeable: true,
        });
        await t.merge();
        expect(await cellsOf(t.main, ['id', 'label']), place).toEqual([
          ['1', 'from'],
          ['2', 'into'],
          ['3', 'c'],
          ['5', 'e'],
        ]);
      }
    });

    test('that was only compacted, written in another order, or written again, has no changes', async () => {
      const declare = (table: Table) =>
        table.updateFieldMetadata([{ path: 'id', metadata: { 'curio:key': '1' } }]);
      await t.start(columns(), { make: maker(version, isStable), before: declare });
      await t.exp.delete('id in (1, 3)');
      await t.exp.add(
        makeArrowTable({
          id: { type: 'int64', values: [3n, 1n] },
          label: { type: 'utf8', values: ['c', 'a'] },
        }),
      );
      await upsert(t.exp, ['id'], {
        id: { type: 'int64', values: [2n] },
        label: { type: 'utf8', values: ['b'] },
      });
      await t.exp.optimize();
      await t.main.optimize();
      expect(await t.summarize()).toMatchObject({
        rows: { added: 0, removed: 0, modified: 0 },
        cells: {},
        conflicts: { rows: 0, cells: 0 },
      });
      expect(await t.plan()).toMatchObject({ status: 'up-to-date' });
    });
  });
});
