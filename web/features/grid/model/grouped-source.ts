import { planGroupPlaces, type RowGroup } from './group-places.ts';
import type { GridRow, RowSource, RowsState, ScreenSpan } from './row-source.ts';

export interface GroupHead extends RowGroup {
  isFolded: boolean;
  /** Of how many groups it is which, from 0. */
  place: number;
}

/** A sorted source whose rows stand in groups under heads: its places count the heads, `position` in it does not. */
export interface GroupedSource extends RowSource {
  /** Row ids of a whole group, folded or not. */
  idsOfGroup(group: RowGroup, signal?: AbortSignal): Promise<string[]>;
  /** The head that stands at a place; undefined where a row does. */
  headAt(index: number): GroupHead | undefined;
  /** The place of a row of the source without groups; of the head where its group is folded. */
  placeOf(position: number): number;
  /** The position of the row at a place; of the first row of the group where a head stands. */
  positionAt(index: number): number;
}

export interface Grouping {
  groups: readonly RowGroup[];
  folded: ReadonlySet<string>;
}

/** Puts heads between the groups of a sorted source; folded groups show their head alone. */
export function groupSource(source: RowSource, { groups, folded }: Grouping): GroupedSource {
  const isFolded = (group: RowGroup): boolean => folded.has(group.id);
  const places = planGroupPlaces(groups, isFolded);
  const placed = new WeakMap<GridRow, GridRow>();
  const stateOf = new WeakMap<RowsState, RowsState>();
  const place = (row: GridRow | undefined): GridRow | undefined => {
    if (!row) return undefined;
    let found = placed.get(row);
    if (!found) {
      found = { ...row, index: places.lineOf(row.index), number: row.index + 1 };
      placed.set(row, found);
    }
    return found;
  };
  /** Runs of rows among the places of a span, as positions; what follows without a gap is one run. */
  const runsIn = (first: number, last: number): ScreenSpan[] => {
    const runs: ScreenSpan[] = [];
    for (let line = Math.max(0, first); line <= Math.min(last, places.total - 1); ) {
      const at = places.at(line);
      const group = at.kind === 'head' ? at.group : groupOf(at.position);
      const { start, rows } = groups[group] as RowGroup;
      const from = at.kind === 'head' ? start : at.position;
      const shown = isFolded(groups[group] as RowGroup) && at.kind === 'head' ? 0 : start + rows - from;
      const head = at.kind === 'head' ? 1 : 0;
      const count = Math.min(shown, last - line + 1 - head);
      const before = runs.at(-1);
      if (count > 0 && before?.last === from - 1) before.last += count;
      else if (count > 0) runs.push({ first: from, last: from + count - 1 });
      line += head + Math.max(shown, 0);
    }
    return runs;
  };
  const groupOf = (position: number): number => {
    let [low, high] = [0, groups.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((groups[middle] as RowGroup).start <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    ...source,
    placeKey: source.placeKey,
    getState() {
      const state = source.getState();
      let grouped = stateOf.get(state);
      if (!grouped) {
        grouped = state.total === null ? state : { ...state, total: places.total, rows: state.total };
        stateOf.set(state, grouped);
      }
      return grouped;
    },
    rowAt(index) {
      const at = places.at(index);
      return at.kind === 'row' && index < places.total ? place(source.rowAt(at.position)) : undefined;
    },
    find: (id) => place(source.find(id)),
    show(first, last) {
      const runs = runsIn(first, last);
      const from = runs[0]?.first;
      const to = runs.at(-1)?.last;
      if (from === undefined || to === undefined) return;
      if (source.showSpans) source.showSpans(runs);
      else source.show(from, to);
    },
    async idsOf(first, last, signal) {
      const ids: string[] = [];
      for (const run of runsIn(first, last)) ids.push(...(await source.idsOf(run.first, run.last, signal)));
      return ids;
    },
    idsOfGroup: ({ start, rows }, signal) => source.idsOf(start, start + rows - 1, signal),
    headAt(index) {
      if (index < 0 || index >= places.total) return undefined;
      const at = places.at(index);
      if (at.kind !== 'head') return undefined;
      const group = groups[at.group] as RowGroup;
      return { ...group, isFolded: isFolded(group), place: at.group };
    },
    placeOf: (position) => places.lineOf(position),
    positionAt(index) {
      const at = places.at(index);
      return at.kind === 'row' ? at.position : (groups[at.group]?.start ?? 0);
    },
  };
}

export const isGrouped = (source: RowSource): source is GroupedSource => 'headAt' in source;
