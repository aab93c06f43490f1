/** What of a grid an element of the page stands for. */
export interface PlaceInGrid {
  row: number;
  column: string | null;
  isGutter: boolean;
  isHead: boolean;
}

/** Null outside of the rows. */
export function placeOf(target: Element): PlaceInGrid | null {
  const row = target.closest<HTMLElement>('[data-row]');
  if (!row) return null;
  const cell = target.closest<HTMLElement>('[data-cell]');
  return {
    row: Number(row.dataset.row),
    column: cell?.dataset.cell ?? null,
    isGutter: target.closest('[data-gutter]') !== null,
    isHead: row.dataset.group !== undefined,
  };
}

/** Nobody is typing or in a panel: after a click on a link the rows may have the focus. */
export function isFocusFree(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || focused.closest('nav') !== null;
}
