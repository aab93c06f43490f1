/** One cell of a text: what stands between two markers `-- %% name`. */
export interface Cell {
  /** What later cells call its result. */
  name: string;
  /** The marker gives the name; else it is made from the place. */
  isNamed: boolean;
  body: string;
  /** Offsets of the body in the whole text. */
  start: number;
  end: number;
  /** Where the marker begins; the start of the body where there is none. */
  markerStart: number;
}

const markerLine = /^-- %%(?:[ \t]+(\S.*?))?[ \t]*$/gm;

const cleanName = (text: string): string =>
  text
    .trim()
    .replace(/[^\p{L}\p{N}_]+/gu, '_')
    .replace(/^(?=\d)/, '_')
    .slice(0, 60);

const freeName = (wanted: string, taken: ReadonlySet<string>): string => {
  let name = wanted;
  for (let copy = 2; taken.has(name.toLowerCase()); copy += 1) name = `${wanted}_${copy}`;
  return name;
};

/** The cells of a text, in order; a text without markers is one cell. Names are unique, whatever their case. */
export function parseCells(text: string): Cell[] {
  const markers = [...text.matchAll(markerLine)];
  const cells: Cell[] = [];
  const taken = new Set<string>();
  const add = (label: string | undefined, markerStart: number, start: number, end: number) => {
    const wanted = cleanName(label ?? '');
    const name = freeName(wanted === '' || wanted === '_' ? `cell_${cells.length + 1}` : wanted, taken);
    taken.add(name.toLowerCase());
    cells.push({ name, isNamed: wanted !== '', body: text.slice(start, end), start, end, markerStart });
  };
  const first = markers[0];
  if (!first || text.slice(0, first.index).trim() !== '')
    add(undefined, 0, 0, first ? endOfBody(text, first.index) : text.length);
  for (const [index, marker] of markers.entries()) {
    const next = markers[index + 1];
    const start = Math.min(text.length, marker.index + marker[0].length + 1);
    add(marker[1], marker.index, start, Math.max(start, next ? endOfBody(text, next.index) : text.length));
  }
  return cells;
}

/** Without the line break before the next marker. */
const endOfBody = (text: string, marker: number): number =>
  Math.max(0, text[marker - 1] === '\n' ? marker - 1 : marker);

/** Whether a text has markers. */
export const isNotebook = (text: string): boolean => new RegExp(markerLine.source, 'm').test(text);

/** Inverse of {@link parseCells} for named cells. */
export const formatCells = (cells: readonly Pick<Cell, 'name' | 'body'>[]): string =>
  cells.map(({ name, body }) => `-- %% ${name}\n${body}`).join('\n');

/** The text with another body in one of its cells. */
export function setCellBody(text: string, index: number, body: string): string {
  const cell = parseCells(text)[index];
  return cell
    ? text.slice(0, cell.start) + (needsBreak(text, cell) ? '\n' : '') + body + text.slice(cell.end)
    : text;
}

/** A marker at the very end of the text has no line of its own for a body yet. */
const needsBreak = (text: string, { start, markerStart }: Cell): boolean =>
  start > markerStart && text[start - 1] !== '\n';

/** A new empty cell after another one; a text without cells becomes two. */
export function addCell(text: string, after: number): { text: string; name: string } {
  const cells = parseCells(text);
  const taken = new Set(cells.map((cell) => cell.name.toLowerCase()));
  const name = freeName(`cell_${cells.length + 1}`, taken);
  const added = [...cells.slice(0, after + 1), { name, body: '' }, ...cells.slice(after + 1)];
  return { text: formatCells(added), name };
}

/** Without a cell; the last one that is left loses its marker. */
export function removeCell(text: string, index: number): string {
  const rest = parseCells(text).filter((_cell, at) => at !== index);
  return rest.length === 1 ? (rest[0]?.body ?? '') : formatCells(rest);
}

/** With a cell one place up or down. */
export function moveCell(text: string, index: number, by: -1 | 1): string {
  const cells = parseCells(text);
  const [cell, other] = [cells[index], cells[index + by]];
  if (!cell || !other) return text;
  const moved = cells.map((one, at) => (at === index ? other : at === index + by ? cell : one));
  return formatCells(moved);
}

/** Renames a cell, also where later cells name it as a word of its own. */
export function renameCell(text: string, index: number, label: string): { text: string; name: string } {
  const cells = parseCells(text);
  const cell = cells[index];
  const wanted = cleanName(label);
  if (!cell || wanted === '' || wanted === cell.name) return { text, name: cell?.name ?? '' };
  const taken = new Set(cells.filter((other) => other !== cell).map((other) => other.name.toLowerCase()));
  const name = freeName(wanted, taken);
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$"'])${cell.name}(?![\\p{L}\\p{N}_$"'])`, 'gu');
  const renamed = cells.map((other, at) =>
    at === index
      ? { ...other, name }
      : at > index
        ? { ...other, body: other.body.replace(word, name) }
        : other,
  );
  return { text: formatCells(renamed), name };
}
