import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planBlocks, planGroupedBlocks } from './plan-blocks.ts';

const many = { blockRows: 4, mostBlocks: 1000 };

test('without groups blocks follow each other, the last with what is left', () => {
  const plan = planBlocks({ total: 10, ...many });
  expect([plan.count, plan.end, plan.at(2), plan.blockOf(7)]).toEqual([
    3,
    10,
    { start: 8, rows: 2, head: null },
    1,
  ]);
  expect(planBlocks({ total: 10, blockRows: 4, mostBlocks: 2 }).end).toBe(8);
});

test('with groups every row that is not folded is in one block, and every group has its head once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ rows: fc.integer({ min: 1, max: 13 }), isFolded: fc.boolean() }), {
        maxLength: 9,
      }),
      (list) => {
        let start = 0;
        const groups = list.map(({ rows, isFolded }) => {
          const group = { start, rows, isFolded };
          start += rows;
          return group;
        });
        const plan = planGroupedBlocks(groups, many);
        const blocks = Array.from({ length: plan.count }, (_none, i) => plan.at(i));
        const shown = blocks.flatMap((block) =>
          Array.from({ length: block.rows }, (_none, i) => block.start + i),
        );
        const expected = groups.flatMap((group) =>
          group.isFolded ? [] : Array.from({ length: group.rows }, (_none, i) => group.start + i),
        );
        expect(shown).toEqual(expected);
        expect(blocks.map(({ head }) => head).filter((head) => head !== null)).toEqual(
          groups.map((_g, i) => i),
        );
        for (const position of expected) {
          const block = plan.at(plan.blockOf(position));
          expect(block.start <= position && position < block.start + block.rows).toBe(true);
        }
        expect(plan.end).toBe(start);
      },
    ),
  );
});

test('what would be too tall is left out, and where it ends is known', () => {
  const groups = [
    { start: 0, rows: 9, isFolded: false },
    { start: 9, rows: 9, isFolded: false },
  ];
  expect(planGroupedBlocks(groups, { blockRows: 4, mostBlocks: 4 })).toMatchObject({ count: 4, end: 13 });
});
