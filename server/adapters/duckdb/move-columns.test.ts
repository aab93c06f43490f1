import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergePlaces, physicalPlaces } from './move-columns.ts';

test('places among live rows are found among all rows, and both lists stay in order', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(60), { maxLength: 30 }),
      fc.uniqueArray(fc.nat(40), { maxLength: 20 }),
      (gone, asked) => {
        const deleted = Float64Array.from(gone).sort();
        const live = Array.from({ length: 120 }, (_, place) => place).filter(
          (place) => !gone.includes(place),
        );
        const wanted = Float64Array.from(asked).sort();
        const physical = physicalPlaces(wanted, deleted);
        expect([...physical]).toEqual([...wanted].map((place) => live[place]));
        expect([...mergePlaces(deleted, physical)]).toEqual([...gone, ...physical].sort((a, b) => a - b));
      },
    ),
  );
});
