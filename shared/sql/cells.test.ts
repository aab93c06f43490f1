import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addCell,
  formatCells,
  isNotebook,
  moveCell,
  parseCells,
  removeCell,
  renameCell,
  setCellBody,
} from './cells.ts';

const shapeOf = (text: string) => parseCells(text).map(({ name, body }) => [name, body]);

const bodies = fc
  .array(fc.constantFrom('SELECT 1', 'FROM a', '', '  ', '-- note', "'x'"), { maxLength: 4 })
  .map((lines) => lines.join('\n'));
const notebooks = fc.uniqueArray(fc.record({ name: fc.stringMatching(/^[a-z]{1,4}$/), body: bodies }), {
  selector: ({ name }) => name,
  minLength: 1,
  maxLength: 5,
});

describe('cells of a text', () => {
  test('a text without markers is one cell', () => {
    expect(shapeOf('SELECT 1')).toEqual([['cell_1', 'SELECT 1']]);
    expect([isNotebook('SELECT 1'), isNotebook('-- %% a\n'), isNotebook("SELECT '-- %%'")]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('markers name cells; text before the first is one, too; names are there once', () => {
    expect(shapeOf('SELECT 0\n-- %%\nSELECT 1\n-- %% By label!\nSELECT 2\n-- %% by_LABEL_\n')).toEqual([
      ['cell_1', 'SELECT 0'],
      ['cell_2', 'SELECT 1'],
      ['By_label_', 'SELECT 2'],
      ['by_LABEL__2', ''],
    ]);
  });

  test('cells come back from their text', () => {
    fc.assert(
      fc.property(notebooks, (cells) => {
        const text = formatCells(cells);
        expect(shapeOf(text)).toEqual(cells.map(({ name, body }) => [name, body]));
        for (const cell of parseCells(text)) expect(text.slice(cell.start, cell.end)).toBe(cell.body);
      }),
    );
  });

  test('writing in one cell leaves the others as they are', () => {
    fc.assert(
      fc.property(notebooks, fc.nat(4), bodies, (cells, at, body) => {
        const index = at % cells.length;
        const after = shapeOf(setCellBody(formatCells(cells), index, body));
        expect(after).toEqual(cells.map((cell, place) => [cell.name, place === index ? body : cell.body]));
      }),
    );
  });

  test('add, move, remove', () => {
    const two = addCell('SELECT 1', 0);
    expect(shapeOf(two.text)).toEqual([
      ['cell_1', 'SELECT 1'],
      ['cell_2', ''],
    ]);
    expect(shapeOf(moveCell(two.text, 1, -1))).toEqual([
      ['cell_2', ''],
      ['cell_1', 'SELECT 1'],
    ]);
    expect(moveCell(two.text, 1, 1)).toBe(two.text);
    expect(removeCell(two.text, 1)).toBe('SELECT 1');
  });

  test('a new name is used where the old one was', () => {
    const text = "-- %% a\nSELECT 1 AS a\n-- %% b\nSELECT a.x, ab, 'a' FROM a";
    expect(renameCell(text, 0, 'first one')).toEqual({
      name: 'first_one',
      text: "-- %% first_one\nSELECT 1 AS a\n-- %% b\nSELECT first_one.x, ab, 'a' FROM first_one",
    });
  });
});
