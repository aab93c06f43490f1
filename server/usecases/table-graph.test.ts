import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GraphBody, GraphVersion } from '#shared/api/history.ts';
import { formatRef } from '#shared/domain/ref.ts';
import { makePets, type Pets, setLabel } from '../testing/pets.ts';
import { createBranch, deleteBranch } from './branches.ts';
import { mergeBranches } from './merge-branches.ts';
import { readGraph } from './table-graph.ts';
import { createTag } from './tags.ts';

const context = { signal: new AbortController().signal };
let pets: Pets;

beforeEach(async () => {
  pets = await makePets();
});
afterEach(() => pets.ports.close());

const read = (input: Partial<GraphBody> = {}) =>
  readGraph(pets.ports, { table: 'pets', limit: 100, ...input }, context);

const merge = (from: string, into = 'main') =>
  mergeBranches(pets.ports, { table: 'pets', from, into, author: 'bob' }, context);

const lineOf = ({ branch, version, kind, parent, mergedFrom, isSourceThere }: GraphVersion): string =>
  [
    `${branch}:${version} ${kind} < ${parent ? formatRef(parent) : 'nothing'}`,
    mergedFrom && `${isSourceThere ? '+' : '?'} ${formatRef(mergedFrom)}`,
  ]
    .filter(Boolean)
    .join(' ');

test('all branches together, newest first, with forks and merges', async () => {
  await pets.edit([setLabel('kitten')]);
  await createBranch(pets.ports, { table: 'pets', name: 'exp/deep', from: 'exp' }, context);
  await pets.edit([setLabel('deep')], { branch: 'exp/deep' });
  await createBranch(pets.ports, { table: 'pets', name: 'idle', from: 'main' }, context);
  await merge('exp/deep', 'exp');
  await merge('exp');
  await createTag(pets.ports, { table: 'pets', name: 'golden', ref: 'main' }, context);
  const { versions, branches, tags, cursor, looked } = await read();
  expect(versions.map(lineOf)).toEqual([
    'main:2 merge < main:1 + exp:3',
    'exp:3 merge < exp:2 + exp/deep:3',
    'exp/deep:3 edit < exp:2',
    'exp:2 edit < main:1',
    'main:1 create < nothing',
  ]);
  expect(branches.map(({ name, version }) => `${name}:${version}`).sort()).toEqual([
    'exp/deep:3',
    'exp:3',
    'idle:1',
    'main:2',
  ]);
  expect(tags).toMatchObject([{ name: 'golden', branch: 'main', version: 2 }]);
  expect([cursor, looked.versions]).toEqual([null, 5]);
});

test('pages leave nothing out and show nothing twice, whatever happens between them', async () => {
  await createBranch(pets.ports, { table: 'pets', name: 'other', from: 'main' }, context);
  for (const label of ['a', 'b', 'c']) {
    await pets.edit([setLabel(label)]);
    await pets.edit([setLabel(label)], { branch: 'other' });
  }
  const whole = (await read()).versions.map(lineOf);
  const seen: string[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; cursor !== null; page++) {
    const answer = await read({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...answer.versions.map(lineOf));
    cursor = answer.cursor;
    if (page === 0) {
      await pets.edit([setLabel('later')]);
      await createBranch(pets.ports, { table: 'pets', name: 'new', from: 'main' }, context);
      await pets.edit([setLabel('new')], { branch: 'new' });
    }
    expect(page).toBeLessThan(10);
  }
  expect(seen).toEqual(whole);
});

test('several Lance versions of one edit are one; versions of other programs and of undo and restore are told apart', async () => {
  const { editId } = await pets.edit([setLabel('kitten')]);
  await pets.undo(editId);
  await pets.restore('exp:2');
  const handle = await pets.ports.home.connection.openTable('pets', [], { branch: 'exp' });
  await handle.update({ where: 'id = 2', valuesSql: { label: "'wolf'" } });
  const { versions } = await read({ branches: ['exp'] });
  expect(
    versions.map(({ version, kind, author, undoes, restoredTo }) => ({
      version,
      kind,
      author,
      undoes,
      restoredTo,
    })),
  ).toEqual([
    { version: 5, kind: 'edit', author: null, undoes: null, restoredTo: null },
    { version: 4, kind: 'restore', author: 'ann', undoes: null, restoredTo: { branch: 'exp', version: 2 } },
    { version: 3, kind: 'undo', author: 'ann', undoes: editId, restoredTo: null },
    { version: 2, kind: 'edit', author: 'ann', undoes: null, restoredTo: null },
  ]);
});

test('a branch that was deleted, or made again under its name, is not taken for the one that was merged', async () => {
  await pets.edit([setLabel('kitten')]);
  await merge('exp');
  await deleteBranch(pets.ports, { table: 'pets', name: 'exp' }, context);
  expect((await read()).versions.map(lineOf)[0]).toBe('main:2 merge < main:1 ? exp:2');
  await createBranch(pets.ports, { table: 'pets', name: 'exp', from: 'main:1' }, context);
  await pets.edit([setLabel('again')]);
  expect((await read()).versions.map(lineOf)).toContain('main:2 merge < main:1 ? exp:2');
});

test('is filtered by branch, person, kind and text', async () => {
  await pets.edit([setLabel('kitten')], { message: 'Small cats' });
  await pets.edit([setLabel('lion')], { message: 'Large cats' });
  await merge('exp');
  const of = async (input: Partial<GraphBody>) => (await read(input)).versions.map(lineOf);
  expect(await of({ text: 'LARGE' })).toEqual(['exp:3 edit < exp:2']);
  expect(await of({ authors: ['bob'] })).toEqual(['main:2 merge < main:1 + exp:3']);
  expect(await of({ authors: [''] })).toEqual(['main:1 create < nothing']);
  expect(await of({ kinds: ['merge', 'create'] })).toEqual([
    'main:2 merge < main:1 + exp:3',
    'main:1 create < nothing',
  ]);
  expect(await of({ branches: ['exp'], kinds: ['edit'] })).toHaveLength(2);
  await expect(read({ branches: ['ex'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(read({ cursor: 'bm8' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
