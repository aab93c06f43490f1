import { beforeEach, describe, expect, test } from 'vitest';
import { arrow } from '../../../arrow/arrow.ts';
import { branchTables, upsert } from '../../../testing/branched-table.ts';

const t = branchTables();
const isKey = { 'curio:key': '1' };

describe('blobs', () => {
  const picture = (text: string | null) => (text === null ? null : { data: Buffer.from(text), uri: null });
  const large = 'x'.repeat(3_000_000);
  beforeEach(() =>
    t.start({
      id: { type: 'int64', values: [1n, 2n, 3n, 4n, 5n], metadata: isKey },
      picture: { type: 'blob', values: ['one', 'two', null, '', large].map(picture) },
      label: { type: 'utf8', values: ['a', 'b', 'c', 'd', 'e'] },
    }),
  );

  const change = (values: Record<number, string | null>) =>
    upsert(t.exp, ['id'], {
      id: { type: 'int64', values: Object.keys(values).map(BigInt) },
      picture: { type: 'blob', values: Object.values(values).map(picture) },
      label: { type: 'utf8', values: Object.keys(values).map((id) => 'abcde'[Number(id) - 1]) },
    });

  test('that were written again are the same, by content', async () => {
    await t.exp.update({ where: 'id > 0', values: { label: 'z' } });
    expect((await t.summarize()).cells).toEqual({ label: 5 });
  });

  test('differ by content, size and null', async () => {
    await change({ 1: 'two', 2: 'two', 3: '', 4: null, 5: `${large.slice(1)}y` });
    expect(await t.summarize()).toMatchObject({ rows: { modified: 4 }, cells: { picture: 4 } });
    const [first] = await t.changed();
    expect(first).toMatchObject({
      base: { id: '1', picture: { sizeBytes: 3, contentType: 'text/plain' }, label: 'a' },
      from: { picture: { sizeBytes: 3 } },
      _rowids: { base: '0', from: '0', into: '0' },
    });
  });

  test('are not copied when something else is merged, and come along when they changed or are new', async () => {
    await t.exp.update({ where: 'id = 1', values: { label: 'z' } });
    const quiet = await t.plan();
    const fields = quiet.changeset!.updates.map((file) =>
      arrow.tableFromIPC(file).schema.fields.map((field) => field.name),
    );
    expect(fields).toEqual([['id', 'label']]);
    await change({ 2: 'twenty', 6: 'six' });
    const apart = (await t.plan()).changeset!.updates.map((file) => arrow.tableFromIPC(file));
    expect(apart.map((file) => [file.numRows, file.schema.fields.map((field) => field.name)])).toEqual([
      [1, ['id', 'label']],
      [1, ['id', 'picture']],
    ]);
    await t.merge();
    const ids = await t.main.query().select(['id', '_rowid']).where('id in (1, 2, 6)').toArray();
    const sorted = ids.sort((a, b) => Number(a.id - b.id)).map((row) => row._rowid as bigint);
    expect((await t.main.fetchBlobs('picture', sorted)).map(String)).toEqual(['one', 'twenty', 'six']);
    expect(await t.summarize()).toMatchObject({ conflicts: { rows: 0 } });
  });
});
