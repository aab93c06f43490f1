import { type Command, useCommands } from '../../../state/commands.ts';
import { formatPress } from '../../../state/keyboard.ts';
import type { RowSource } from '../model/row-source.ts';

/** Where the active cell is; row −1 is the header. */
export interface ActiveCell {
  row: number;
  column: string | null;
  /** The row that stood there when the cell was made the active one. */
  id?: string;
}

/**
 * The active cell among the rows as they are now: an edit or a merge may have put its row elsewhere, and keys must not
 * meet another one. Where the row is not there any more, its place keeps the focus.
 */
export function followRow(
  active: ActiveCell | null,
  source: Pick<RowSource, 'rowAt' | 'find'>,
): ActiveCell | null {
  if (active?.id === undefined) return active;
  const there = source.rowAt(active.row);
  if (!there || there.id === active.id) return active;
  const moved = source.find(active.id);
  return moved ? { ...active, row: moved.index } : active;
}

export interface GridMoves {
  move: (rows: number, columns: number, isExtending: boolean) => void;
  moveTo: (row: 'first' | 'last' | null, column: 'first' | 'last' | null, isExtending: boolean) => void;
  pageRows: number;
  open: () => void;
  toggle: () => void;
  selectAll: () => void;
  clear: () => void;
  edit: () => void;
  copy: () => void;
  canSelect: boolean;
  canClear: boolean;
  canEdit: boolean;
}

interface GridKey {
  id: string;
  title: string;
  keys: string[];
  /** Not on the sheet: the same with Shift. */
  isSilent?: boolean;
  whyNot?: string | null;
  run: () => void;
}

function planKeys(grid: GridMoves): GridKey[] {
  const noSelection = grid.canSelect ? null : 'These rows cannot be selected';
  const step = (id: string, title: string, key: string, rows: number, columns: number): GridKey[] => [
    { id: `grid.${id}`, title, keys: [key], run: () => grid.move(rows, columns, false) },
    ...(columns === 0
      ? [
          {
            id: `grid.${id}Extend`,
            title: `${title}, selecting`,
            keys: [`Shift+${key}`],
            isSilent: true,
            whyNot: noSelection,
            run: () => grid.move(rows, 0, true),
          },
        ]
      : []),
  ];
  return [
    ...step('down', 'Next row', 'ArrowDown', 1, 0),
    ...step('up', 'Previous row', 'ArrowUp', -1, 0),
    ...step('left', 'Column to the left', 'ArrowLeft', 0, -1),
    ...step('right', 'Column to the right', 'ArrowRight', 0, 1),
    ...step('pageDown', 'A screen down', 'PageDown', grid.pageRows, 0),
    ...step('pageUp', 'A screen up', 'PageUp', -grid.pageRows, 0),
    { id: 'grid.first', title: 'First row', keys: ['Home'], run: () => grid.moveTo('first', null, false) },
    { id: 'grid.last', title: 'Last row', keys: ['End'], run: () => grid.moveTo('last', null, false) },
    {
      id: 'grid.firstCell',
      title: 'First cell of all',
      keys: ['Mod+Home'],
      run: () => grid.moveTo('first', 'first', false),
    },
    {
      id: 'grid.lastCell',
      title: 'Last cell of all',
      keys: ['Mod+End'],
      run: () => grid.moveTo('last', 'last', false),
    },
    {
      id: 'grid.firstColumn',
      title: 'First column',
      keys: ['Mod+ArrowLeft'],
      run: () => grid.moveTo(null, 'first', false),
    },
    {
      id: 'grid.lastColumn',
      title: 'Last column',
      keys: ['Mod+ArrowRight'],
      run: () => grid.moveTo(null, 'last', false),
    },
    {
      id: 'grid.extendFirst',
      title: 'Select up to the first row',
      keys: ['Shift+Home'],
      isSilent: true,
      whyNot: noSelection,
      run: () => grid.moveTo('first', null, true),
    },
    {
      id: 'grid.extendLast',
      title: 'Select down to the last row',
      keys: ['Shift+End'],
      isSilent: true,
      whyNot: noSelection,
      run: () => grid.moveTo('last', null, true),
    },
    { id: 'grid.open', title: 'Open the row', keys: ['Space', 'Enter'], run: grid.open },
    {
      id: 'grid.toggle',
      title: 'Select the row (with Shift and arrows: several)',
      keys: ['x'],
      whyNot: noSelection,
      run: grid.toggle,
    },
    {
      id: 'grid.selectAll',
      title: 'Select all rows',
      keys: ['Mod+A'],
      whyNot: noSelection,
      run: grid.selectAll,
    },
    {
      id: 'grid.clear',
      title: 'Select nothing',
      keys: ['Escape'],
      whyNot: grid.canClear ? null : 'Nothing is selected',
      run: grid.clear,
    },
    {
      id: 'grid.edit',
      title: 'Edit the cell',
      keys: ['e', 'F2'],
      whyNot: grid.canEdit ? null : 'These cells cannot be edited',
      run: grid.edit,
    },
    { id: 'grid.copy', title: 'Copy the selected rows, or the cell', keys: ['Mod+C'], run: grid.copy },
  ];
}

/** The keys of a grid: handled where the grid has the focus, and with `hasPageKeys` on the whole page. */
export function useGridKeys(grid: GridMoves, hasPageKeys: boolean): (event: React.KeyboardEvent) => void {
  const keys = planKeys(grid);
  const commands: Command[] = keys.map((key) => ({
    id: key.id,
    title: key.title,
    group: 'Rows',
    keys: key.keys,
    isHidden: true,
    isUnlisted: key.isSilent ?? false,
    whyNot: () => key.whyNot ?? null,
    run: key.run,
  }));
  useCommands(hasPageKeys ? commands.filter((command) => command.id !== 'grid.copy') : []);
  return (event) => {
    if (event.target !== event.currentTarget) return;
    const press = formatPress(event.nativeEvent);
    const found = keys.find((key) => key.keys.includes(press));
    if (!found || found.whyNot) return;
    if (found.id === 'grid.copy' && !getSelection()?.isCollapsed) return;
    event.preventDefault();
    found.run();
  };
}
