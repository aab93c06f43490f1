import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planGroupPlaces, type RowGroup } from './group-places.ts';

const someGroups = fc
  .array(fc.record({ rows: fc.integer({ min: 1, max: 9 }), isFolded: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((list) => {
    let start = 0;
    return list.map(({ rows, isFolded }, i) => {
      const group: RowGroup & { isFolded: boolean } = { id: String(i), value: i, start, rows, isFolded };
      start += rows;
      return group;
    });
  });

test('every line is a head or a row that is not folded, in order, and rows are found again', () => {
  fc.assert(
    fc.property(someGroups, (groups) => {
      const folded = new Set(groups.filter((group) => group.isFolded).map(({ id }) => id));
      const places = planGroupPlaces(groups, ({ id }) => folded.has(id));
      const expected = groups.flatMap((group, i) => [
        { kind: 'head' as const, group: i },
        ...(group.isFolded
          ? []
          : Array.from({ length: group.rows }, (_none, at) => ({
              kind: 'row' as const,
              position: group.start + at,
            }))),
      ]);
      expect(Array.from({ length: places.total }, (_none, line) => places.at(line))).toEqual(expected);
      expected.forEach((place, line) => {
        if (place.kind === 'row') expect(places.lineOf(place.position)).toBe(line);
        else expect(places.headLine(place.group)).toBe(line);
      });
      for (const [i, group] of groups.entries())
        if (group.isFolded) expect(places.lineOf(group.start + group.rows - 1)).toBe(places.headLine(i));
    }),
  );
});

test('no groups have no lines', () => {
  expect(planGroupPlaces([], () => false).total).toBe(0);
});
