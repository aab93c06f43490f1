import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reservedColumns } from '#shared/domain/names.ts';
import { planNames } from './column-names.ts';

describe('planNames', () => {
  it('leaves good names alone', () => {
    expect(planNames(['id', 'größe', 'a b', '日付'], false)).toEqual({
      names: ['id', 'größe', 'a b', '日付'],
      notices: [],
    });
  });

  it('mends names that cannot stand, and tells', () => {
    expect(planNames(['a.b', '', '_rowid', 'x`y', 'id', 'ID', 'id', '_key'], false)).toEqual({
      names: ['a_b', 'column_2', 'rowid_', 'x_y', 'id', 'ID_2', 'id_3', '_key_2'],
      notices: [
        'The column “a.b” is now “a_b”.',
        'The column without a name is now “column_2”.',
        'The column “_rowid” is now “rowid_”.',
        'The column “x`y” is now “x_y”.',
        'The column “ID” is now “ID_2”.',
        'The column “id” is now “id_3”.',
        'The column “_key” is now “_key_2”.',
      ],
    });
  });

  it('leaves a name that is there to the column that has it', () => {
    expect(planNames(['a.b', 'a_b'], false).names).toEqual(['a_b_2', 'a_b']);
  });

  it('gives names that differ and can be addressed, whatever came', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('a', 'A', 'a.b', '_rowid', '_key', 'a_2')), {
          maxLength: 12,
        }),
        (wanted) => {
          const { names } = planNames(wanted, false);
          expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(wanted.length);
          for (const name of names) {
            expect(name).not.toMatch(/[.`]|^$/);
            expect(reservedColumns.has(name)).toBe(false);
          }
        },
      ),
    );
  });
});
