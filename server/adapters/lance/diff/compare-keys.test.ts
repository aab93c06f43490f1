import { describe, expect, test } from 'vitest';
import { branchTables, cellsOf, context } from '../../../testing/branched-table.ts';
import { makeArrowTable } from '../../../testing/columns.ts';
import { apply } from '../apply.ts';

const t = branchTables();
const isKey = { 'curio:key': '1' };
const alsoKey = { 'curio:key': '2' };

describe('keys', () => {
  test.each([
    ['int32', [1, 2, 3], 2],
    ['uint64', [1n, 2n, 18_446_744_073_709_551_615n], '18446744073709551615'],
    ['int64', [-1n, 9_007_199_254_740_993n, 9_007_199_254_740_992n], '9007199254740993'],
    ['utf8', ['a', "o'hara", 'ü'], "o'hara"],
    ['bool', [true, false, null], true],
    ['date32', [1, 2, 3], '1970-01-03'],
    ['timestamp[us, UTC]', [1n, 2n, 3n], '1970-01-01T00:00:00.000002Z'],
    ['decimal128(10, 2)', [100n, 250n, 300n], '2.50'],
    ['fixed_size_binary[2]', [Uint8Array.of(1, 2), Uint8Array.of(3, 4), Uint8Array.of(5, 6)], 'AwQ='],
  ])('of type %s', async (type, values, chosen) => {
    await t.start({ key: { type, values, metadata: isKey }, x: { type: 'int32', values: [1, 2, 3] } });
    await t.exp.update({ where: 'x > 0 and key is not null', valuesSql: { x: 'x + 10' } });
    await t.main.update({ where: 'key is not null', valuesSql: { x: 'x + 20' } });
    expect((await t.plan()).status).toBe('conflicts');
    const conflicted = (await t.summarize()).rows.modified;
    await t.merge({ take: 'into', choices: [{ key: chosen, take: 'from' }] });
    const merged = (await cellsOf(t.main, ['x']))
      .flat()
      .filter((x) => (x as number) > 10 && (x as number) < 20);
    expect([merged.length, conflicted]).toEqual([1, values.filter((value) => value !== null).length]);
  });

  test('of several columns, in the order in which they are declared', async () => {
    await t.start({
      frame: { type: 'int32', values: [1, 2, 1], metadata: alsoKey },
      clip: { type: 'utf8', values: ['a', 'a', 'b'], metadata: isKey },
      x: { type: 'int32', values: [1, 2, 3] },
    });
    await t.exp.update({ where: "clip = 'a'", valuesSql: { x: 'x + 10' } });
    await t.exp.add(
      makeArrowTable({
        frame: { type: 'int32', values: [2] },
        clip: { type: 'utf8', values: ['b'] },
        x: { type: 'int32', values: [4] },
      }),
    );
    await t.main.update({ where: "clip = 'a'", valuesSql: { x: 'x + 20' } });
    expect((await t.changed()).map(({ _key, _change }) => [_key, _change])).toEqual([
      [{ clip: 'a', frame: 1 }, 'modified'],
      [{ clip: 'a', frame: 2 }, 'modified'],
      [{ clip: 'b', frame: 2 }, 'added'],
    ]);
    expect((await t.plan()).conflicts.map(({ key }) => key)).toEqual([
      ['a', 1],
      ['a', 2],
    ]);
    await t.merge({
      choices: [
        { key: ['a', 1], take: 'from' },
        { key: ['a', '2'], column: 'x', take: 'into' },
      ],
    });
    expect(await cellsOf(t.main, ['clip', 'frame', 'x'])).toEqual([
      ['a', 1, 11],
      ['a', 2, 22],
      ['b', 1, 3],
      ['b', 2, 4],
    ]);
  });

  test('that were changed make another row, and a row that was put back under its key is the same one', async () => {
    await t.start({
      id: { type: 'int64', values: [1n, 2n, 3n], metadata: isKey },
      x: { type: 'int32', values: [1, 2, 3] },
    });
    await t.exp.update({ where: 'id = 1', values: { id: '9' } });
    await t.exp.delete('id = 2');
    await t.exp.add(
      makeArrowTable({ id: { type: 'int64', values: [2n] }, x: { type: 'int32', values: [5] } }),
    );
    expect(await t.summarize()).toMatchObject({
      rows: { added: 1, removed: 1, modified: 1 },
      cells: { x: 1 },
    });
    await t.merge();
    expect(await cellsOf(t.main, ['id', 'x'])).toEqual([
      ['2', 5],
      ['3', 3],
      ['9', 1],
    ]);
  });

  test('that stand twice are found and named', async () => {
    await t.start({
      id: { type: 'int64', values: [1n, 2n, 3n], metadata: isKey },
      x: { type: 'int32', values: [1, 2, 3] },
    });
    await t.exp.add(makeArrowTable({ id: { type: 'int64', values: [7n, 7n] } }));
    expect(await t.summarize()).toMatchObject({
      mergeable: false,
      notices: [expect.stringContaining('key 7')],
    });
    await expect(t.plan()).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('key 7'),
    });
  });

  test('that stand twice where a change is to go are found and named', async () => {
    await t.start({
      id: { type: 'int64', values: [1n, 2n, 2n], metadata: isKey },
      x: { type: 'int32', values: [1, 2, 3] },
    });
    await t.exp.update({ where: 'x = 3', values: { x: '9' } });
    await expect(t.plan()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('key 2'),
    });
  });

  test('that stand twice on the branch, once changed and once new, are found and named', async () => {
    await t.start({
      id: { type: 'int64', values: [1n, 2n], metadata: isKey },
      x: { type: 'int32', values: [1, 2] },
    });
    await t.exp.update({ where: 'id = 2', values: { x: '22' } });
    await t.exp.add(
      makeArrowTable({ id: { type: 'int64', values: [2n] }, x: { type: 'int32', values: [222] } }),
    );
    await expect(t.plan()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('The key 2 stands in more than one row of exp'),
    });
  });

  test('that stand twice where many changes are to go are found and named before anything is written', async () => {
    const many = 2_100;
    const all = <T>(of: (at: number) => T): T[] => Array.from({ length: many }, (_none, at) => of(at));
    await t.start({
      id: { type: 'int64', values: all(BigInt), metadata: isKey },
      x: { type: 'int32', values: all(Number) },
    });
    await t.exp.update({ where: 'id >= 0', valuesSql: { x: 'x + 1' } });
    await t.main.add(
      makeArrowTable({ id: { type: 'int64', values: [7n] }, x: { type: 'int32', values: [0] } }),
    );
    const { changeset } = await t.plan();
    const { into: head } = await t.sides();
    await expect(
      apply(t.home, { table: t.name, head, changeset: changeset! }, context),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('The key 7 stands in more'),
    });
    expect(await t.main.version()).toBe(head.version);
  });

  test('that are missing are counted, and their rows are not merged', async () => {
    await t.start({
      id: { type: 'int64', values: [1n, null, 3n], metadata: isKey },
      x: { type: 'int32', values: [1, 2, 3] },
    });
    await t.exp.add(
      makeArrowTable({ id: { type: 'int64', values: [null] }, x: { type: 'int32', values: [4] } }),
    );
    expect(await t.summarize()).toMatchObject({
      rows: { added: 1 },
      mergeable: false,
      notices: [expect.stringContaining('no key')],
    });
  });
});
