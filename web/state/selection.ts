/** Rows that a person chose, by row id; or all of the result but some. */
export type RowSelection =
  | { kind: 'ids'; ids: ReadonlySet<string> }
  | { kind: 'all'; except: ReadonlySet<string> };

export const emptySelection: RowSelection = { kind: 'ids', ids: new Set() };
export const allSelected: RowSelection = { kind: 'all', except: new Set() };

export const isSelected = (selection: RowSelection, id: string): boolean =>
  selection.kind === 'ids' ? selection.ids.has(id) : !selection.except.has(id);

export const countSelected = (selection: RowSelection, total: number): number =>
  selection.kind === 'ids' ? selection.ids.size : Math.max(0, total - selection.except.size);

/** Selects or deselects rows. */
export function selectRows(selection: RowSelection, ids: Iterable<string>, isOn: boolean): RowSelection {
  const isListed = selection.kind === 'ids' ? isOn : !isOn;
  const next = new Set(selection.kind === 'ids' ? selection.ids : selection.except);
  for (const id of ids) {
    if (isListed) next.add(id);
    else next.delete(id);
  }
  return selection.kind === 'ids' ? { kind: 'ids', ids: next } : { kind: 'all', except: next };
}

export const toggleRow = (selection: RowSelection, id: string): RowSelection =>
  selectRows(selection, [id], !isSelected(selection, id));

const longestText = 1500;

/** For an address: runs of row ids (`3-7.12`), `all`, `all!3.4`; null when nothing is chosen or the text would be too long. */
export function formatSelection(selection: RowSelection): string | null {
  const listed = selection.kind === 'ids' ? selection.ids : selection.except;
  if (selection.kind === 'ids' && listed.size === 0) return null;
  const text = formatIds(listed);
  if (text.length > longestText) return null;
  return selection.kind === 'ids' ? text : `all${text && `!${text}`}`;
}

/** Inverse of {@link formatSelection}; what it cannot read is left out. */
export function parseSelection(text: string | null): RowSelection {
  if (!text) return emptySelection;
  if (text === 'all' || text.startsWith('all!'))
    return { kind: 'all', except: new Set(parseIds(text.slice(4))) };
  return { kind: 'ids', ids: new Set(parseIds(text)) };
}

function formatIds(ids: ReadonlySet<string>): string {
  const numbers = [...ids]
    .filter((id) => /^\d+$/.test(id))
    .map(BigInt)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const runs: [bigint, bigint][] = [];
  for (const id of numbers) {
    const last = runs.at(-1);
    if (last && id === last[1] + 1n) last[1] = id;
    else runs.push([id, id]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join('.');
}

const mostIds = 100_000n;
/** Of all runs together: an address is short, and what it names must not fill the memory of the page. */
const mostOfAll = 1_000_000n;

function parseIds(text: string): string[] {
  let left = mostOfAll;
  return text.split('.').flatMap((run) => {
    const match = /^(\d{1,20})(?:-(\d{1,20}))?$/.exec(run);
    if (!match?.[1]) return [];
    const from = BigInt(match[1]);
    const to = match[2] === undefined ? from : BigInt(match[2]);
    if (to < from || to - from > mostIds || to - from >= left) return [];
    left -= to - from + 1n;
    return Array.from({ length: Number(to - from) + 1 }, (_none, at) => String(from + BigInt(at)));
  });
}
