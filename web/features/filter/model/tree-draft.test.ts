import { expect, test } from 'vitest';
import { placesOf } from '#shared/domain/filter-ops.ts';
import { treeOfSql, treeToSql } from '#shared/domain/filter-tree.ts';
import { changeNode, draftOfTree, type GroupDraft, newChip, newGroup, treeOfDraft } from './tree-draft.ts';

const columns = [
  { name: 'category', type: 'utf8', role: 'label' as const },
  { name: 'n', type: 'int64', role: 'number' as const },
  { name: 'box', type: 'struct<label: utf8>', role: 'other' as const },
].map((column) => ({ ...column, nullable: true, description: '', tags: [] }));
const places = placesOf(columns);

const read = (sql: string) => draftOfTree(treeOfSql(sql, columns)!) as GroupDraft;
const write = (draft: GroupDraft) => {
  const tree = treeOfDraft(draft, places);
  return tree && treeToSql(tree);
};

test('what is opened and applied unchanged says the same', () => {
  for (const sql of [
    "category = 'a' or n is null",
    "(n > 1 or n < -1) and not (box.label = 'cat' or category <> '')",
    'not (n between 1 and 9007199254740993 and (length(category) > n))',
  ])
    expect(write(read(sql))).toBe(sql);
});

test('a part can be changed and removed; a group without conditions, or one that misses a value, says nothing yet', () => {
  const draft = read("category = 'a' or n = 2");
  const [first, second] = draft.items;
  expect(write(changeNode(draft, first!.id, () => null))).toBe('n = 2');
  expect(
    write(
      changeNode(
        draft,
        second!.id,
        (node) =>
          ({ ...node, draft: { ...(node as never as { draft: object }).draft, texts: ['x'] } }) as never,
      ),
    ),
  ).toBeNull();
  expect(write(changeNode(draft, draft.id, (node) => ({ ...node, mode: 'none' }) as GroupDraft))).toBe(
    "not (category = 'a' or n = 2)",
  );
  expect(write(newGroup([]))).toBeNull();
  expect(write(newGroup([newChip('t', columns)]))).toBeNull();
});
