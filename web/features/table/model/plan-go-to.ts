/** A place that a person may mean by what they typed. */
export type GoToPlace =
  | { kind: 'row'; position: number }
  | { kind: 'share'; percent: number; position: number }
  /** Its position has to be looked up. */
  | { kind: 'key'; key: string | string[] };

const rowNumber = /^#?\s*(\d[\d\s_,.\u2009\u202f']*)$/;
const share = /^(\d{1,3}(?:[.,]\d+)?)\s*%$/;

/**
 * What a text may name among `total` rows, the likeliest first: a row by its number from 1 (with separators as people
 * write them), a percentage of the way, the value of the row key (parts of a key of several columns by commas).
 */
export function planGoTo(
  text: string,
  { total, key }: { total: number; key: readonly string[] },
): GoToPlace[] {
  const wanted = text.trim();
  if (wanted === '') return [];
  const places: GoToPlace[] = [];
  const percent = Number((share.exec(wanted)?.[1] ?? '').replace(',', '.') || Number.NaN);
  if (total > 0 && percent <= 100)
    places.push({ kind: 'share', percent, position: Math.round(((total - 1) * percent) / 100) });
  const number = Number((rowNumber.exec(wanted)?.[1] ?? '').replace(/\D/g, '') || Number.NaN);
  if (number >= 1 && number <= total) places.push({ kind: 'row', position: number - 1 });
  if (key.length === 1) places.push({ kind: 'key', key: wanted });
  if (key.length > 1) {
    const parts = wanted.split(',').map((part) => part.trim());
    if (parts.length === key.length) places.push({ kind: 'key', key: parts });
  }
  return places;
}
