/** The tile of a row, where it is drawn. */
export const tileOf = (list: HTMLElement | null, index: number): Element | null =>
  list?.querySelector(`[data-index="${index}"]`) ?? null;

/** The row of the tile that an event met. */
export const indexOf = (target: EventTarget): number | null => {
  const tile = (target as Element).closest<HTMLElement>('[data-index]');
  return tile ? Number(tile.dataset.index) : null;
};

/** The picture under or over another one: the one whose middle is nearest in the next line. */
export function neighbourTile(list: HTMLElement | null, from: number, direction: 1 | -1): number | null {
  const tiles = [...(list?.querySelectorAll<HTMLElement>('[data-index]') ?? [])].map((tile) => ({
    index: Number(tile.dataset.index),
    rect: tile.getBoundingClientRect(),
  }));
  const here = tiles.find((tile) => tile.index === from)?.rect;
  if (!here) return null;
  const others = tiles.filter((tile) =>
    direction === 1 ? tile.rect.top > here.top + 4 : tile.rect.top < here.top - 4,
  );
  const nextTop =
    direction === 1
      ? Math.min(...others.map((tile) => tile.rect.top))
      : Math.max(...others.map((tile) => tile.rect.top));
  const middle = here.left + here.width / 2;
  const line = others.filter((tile) => Math.abs(tile.rect.top - nextTop) < 4);
  return (
    line.sort(
      (a, b) =>
        Math.abs(a.rect.left + a.rect.width / 2 - middle) - Math.abs(b.rect.left + b.rect.width / 2 - middle),
    )[0]?.index ?? null
  );
}
