import { useRef } from 'react';
import {
  allSelected,
  countSelected,
  isSelected,
  type RowSelection,
  selectRows,
  toggleRow,
} from '../../../state/selection.ts';
import { formatCount, formatOf } from '../../../ui/format-quantity.ts';
import { announce, showError, showToast } from '../../../ui/index.ts';
import type { GroupedSource, GroupHead } from '../model/grouped-source.ts';
import type { RowSource } from '../model/row-source.ts';

/** Rows of a range or a group that are selected one by one. */
export const mostSelectedOneByOne = 100_000;

export interface GridSelectionInput {
  source: RowSource;
  grouped: GroupedSource | null;
  /** Places on the screen: rows, and heads of groups. */
  count: number;
  rowCount: number;
  selection: RowSelection;
  onSelect: ((selection: RowSelection) => void) | undefined;
}

export interface GridSelection {
  /** The next range begins here. */
  startAt: (row: number | null) => void;
  /** The range from where it began (`from`, where it has not) to the row; it shrinks as it grew. */
  extendTo: (row: number, from: number) => void;
  toggle: (row: number) => void;
}

/** Selecting rows of a grid one by one, by ranges and by groups. */
export function useGridSelection(input: GridSelectionInput): GridSelection {
  const { source, grouped, count, rowCount, selection, onSelect } = input;
  const anchor = useRef<number | null>(null);
  /** What was selected before the range began. */
  const before = useRef<RowSelection | null>(null);
  const turn = useRef(0);

  const startAt = (row: number | null) => {
    anchor.current = row;
    before.current = null;
    turn.current += 1;
  };
  const select = (next: RowSelection) => {
    onSelect?.(next);
    announce(`${countSelected(next, rowCount)} rows selected`);
  };

  const withRange = async (base: RowSelection, first: number, last: number): Promise<RowSelection | null> => {
    const places = last - first + 1;
    const others = count - places;
    if (!grouped && others === 0) return allSelected;
    if (places <= mostSelectedOneByOne) return selectRows(base, await source.idsOf(first, last), true);
    if (grouped || others > mostSelectedOneByOne) return null;
    const above = first === 0 ? [] : await source.idsOf(0, first - 1);
    const below = last === count - 1 ? [] : await source.idsOf(last + 1, count - 1);
    return selectRows(allSelected, [...above, ...below], false);
  };

  const extendTo = (row: number, from: number) => {
    if (!onSelect) return;
    anchor.current ??= from;
    before.current ??= selection;
    turn.current += 1;
    const mine = turn.current;
    const [first, last] = [Math.min(anchor.current, row), Math.max(anchor.current, row)];
    withRange(before.current, first, last).then(
      (next) => {
        if (turn.current !== mine) return;
        if (next) return select(next);
        showToast(
          `These are ${formatOf(last - first + 1, 'row')}: a range may have ${formatCount(mostSelectedOneByOne)}. Filter the rows, then select all of them.`,
        );
      },
      (error: unknown) => turn.current === mine && showError(error),
    );
  };

  const toggleGroup = async (head: GroupHead) => {
    if (!grouped) return;
    if (head.rows > mostSelectedOneByOne) {
      showToast(
        `The group has ${formatCount(head.rows)} rows: filter by its value, then select all of them.`,
      );
      return;
    }
    const ids = await grouped.idsOfGroup(head);
    select(selectRows(selection, ids, !ids.every((id) => isSelected(selection, id))));
  };

  const toggle = (row: number) => {
    if (!onSelect) return;
    const head = grouped?.headAt(row);
    if (head) void toggleGroup(head).catch(showError);
    const found = source.rowAt(row);
    if (!found) return;
    startAt(row);
    onSelect(toggleRow(selection, found.id));
  };

  return { startAt, extendTo, toggle };
}
