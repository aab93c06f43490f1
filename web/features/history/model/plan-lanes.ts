import type { PinnedRef } from '#shared/domain/ref.ts';

/** A version as the graph sees it. */
export interface LaneNode extends PinnedRef {
  parent: PinnedRef | null;
  /** The other parent of a merge; `null` where there is none, or where its branch is gone. */
  source: PinnedRef | null;
}

/** A curve or line inside of one row, between its top, its node and its bottom. */
export type Stroke =
  | { kind: 'through'; lane: number }
  /** From the top of a lane to the node, or from the node to the bottom of a lane. */
  | { kind: 'arrive' | 'leave'; lane: number; isMerge: boolean }
  /** A line that is too long to be drawn: it ends below the node, and says where it leads. */
  | { kind: 'cut'; to: PinnedRef; isMerge: boolean }
  /** Where the other end of such a line is. */
  | { kind: 'cut-end'; from: PinnedRef; isMerge: boolean };

export interface LaneRow {
  /** Of the node; `null` in a row without one. */
  lane: number | null;
  strokes: Stroke[];
}

export interface LanePlan {
  rows: LaneRow[];
  lanes: number;
}

export interface LaneInput {
  /** From top to bottom; `null` stands for a row that shows no version of its own. */
  rows: readonly (LaneNode | null)[];
  /** Where branches were forked, for versions whose own branch has nothing older in sight. */
  forkOf: (branch: string) => PinnedRef | null;
  /** Its lane is the first one, and is never cut. */
  primary: string;
  /** More versions can be loaded below. */
  hasMore: boolean;
}

/** Lines over more rows than this are cut, so that few lanes are side by side however many branches there are. */
export const longestLine = 48;

interface Edge {
  from: number;
  /** Row of the target; one past the last row where it is not loaded yet. */
  to: number;
  isMerge: boolean;
  target: PinnedRef;
}

/**
 * Gives every version a lane and draws every line to its parents. A lane holds one branch, or one line of a merge, at a
 * time. Rows go from the newest version to the oldest; a parent that stands above its child (clocks that disagree) is
 * drawn as a cut line.
 */
export function planLanes(input: LaneInput): LanePlan {
  const { rows, primary } = input;
  const edges = listEdges(input);
  const plan: LaneRow[] = rows.map(() => ({ lane: null, strokes: [] }));
  const lanes = new Lanes();
  const isCut = ({ from, to, isMerge }: Edge): boolean =>
    to <= from || (to - from > longestLine && (isMerge || rows[from]?.branch !== primary));
  const parents = new Map(edges.filter(({ isMerge }) => !isMerge).map((edge) => [edge.from, edge]));
  lanes.reserveFirst(rows, primary);
  for (const [row, node] of rows.entries()) {
    if (!node || plan[row]!.lane !== null) continue;
    const run = runFrom(row, { rows, parents, isCut });
    const lane = node.branch === primary ? 0 : lanes.take(row, run.end - 1);
    for (const at of run.nodes) plan[at]!.lane = lane;
  }
  for (const edge of edges) {
    if (isCut(edge)) drawCut(edge, plan, rows);
    else if (edge.isMerge) drawMerge(edge, plan, lanes);
    else drawParent(edge, plan);
  }
  return { rows: plan, lanes: Math.max(1, lanes.count) };
}

function listEdges({ rows, forkOf, hasMore }: LaneInput): Edge[] {
  const byBranch = new Map<string, { version: number; row: number }[]>();
  rows.forEach((node, row) => {
    if (!node) return;
    const list = byBranch.get(node.branch) ?? [];
    list.push({ version: node.version, row });
    byBranch.set(node.branch, list);
  });
  for (const list of byBranch.values()) list.sort((a, b) => b.version - a.version);
  const find = (ref: PinnedRef, not: number): number | null => {
    const seen = new Set<string>();
    for (let at: PinnedRef | null = ref; at && !seen.has(at.branch); ) {
      const { branch, version }: PinnedRef = at;
      seen.add(branch);
      const found = newestUpTo(byBranch.get(branch) ?? [], version);
      if (found !== null && found !== not) return found;
      const fork: PinnedRef | null = forkOf(branch);
      at = fork && { branch: fork.branch, version: Math.min(fork.version, version) };
    }
    return null;
  };
  const edges: Edge[] = [];
  rows.forEach((node, from) => {
    if (!node) return;
    for (const [target, isMerge] of [
      [node.parent, false],
      [node.source, true],
    ] as const) {
      if (!target) continue;
      const to = find(target, from) ?? (hasMore ? rows.length : null);
      if (to !== null) edges.push({ from, to, isMerge, target });
    }
  });
  return edges;
}

function newestUpTo(list: readonly { version: number; row: number }[], version: number): number | null {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.version <= version) high = middle;
    else low = middle + 1;
  }
  return list[low]?.row ?? null;
}

interface RunScope {
  rows: LaneInput['rows'];
  parents: ReadonlyMap<number, Edge>;
  isCut: (edge: Edge) => boolean;
}

/** The versions of a branch that hang together without a cut, and the row that the last one's line leads to. */
function runFrom(first: number, { rows, parents, isCut }: RunScope): { nodes: number[]; end: number } {
  const nodes = [first];
  for (let at = first; ; ) {
    const edge = parents.get(at);
    if (!edge || isCut(edge)) return { nodes, end: at + 1 };
    if (edge.to >= rows.length || rows[edge.to]?.branch !== rows[at]?.branch) return { nodes, end: edge.to };
    at = edge.to;
    nodes.push(at);
  }
}

function drawParent({ from, to }: Edge, plan: LaneRow[]): void {
  const lane = plan[from]!.lane!;
  plan[from]!.strokes.push({ kind: 'leave', lane, isMerge: false });
  passThrough(plan, lane, from + 1, to);
  plan[to]?.strokes.push({ kind: 'arrive', lane, isMerge: false });
}

function drawMerge({ from, to }: Edge, plan: LaneRow[], lanes: Lanes): void {
  const wanted = plan[to]?.lane ?? null;
  const lane =
    to === from + 1 && wanted !== null
      ? wanted
      : wanted !== null && lanes.isFree(wanted, from, to - 1)
        ? lanes.takeThis(wanted, from, to - 1)
        : lanes.take(from, to - 1);
  plan[from]!.strokes.push({ kind: 'leave', lane, isMerge: true });
  passThrough(plan, lane, from + 1, to);
  plan[to]?.strokes.push({ kind: 'arrive', lane, isMerge: true });
}

function drawCut({ from, to, target, isMerge }: Edge, plan: LaneRow[], rows: LaneInput['rows']): void {
  const { branch, version } = rows[from]!;
  plan[from]!.strokes.push({ kind: 'cut', to: target, isMerge });
  plan[to]?.strokes.push({ kind: 'cut-end', from: { branch, version }, isMerge });
}

function passThrough(plan: LaneRow[], lane: number, first: number, end: number): void {
  for (let row = first; row < Math.min(end, plan.length); row++)
    plan[row]!.strokes.push({ kind: 'through', lane });
}

/** Which rows of each lane are taken, both ends included. */
class Lanes {
  #taken: { first: number; last: number }[][] = [];

  get count(): number {
    return this.#taken.length;
  }

  /** The first lane belongs to one branch, where it is there at all. */
  reserveFirst(rows: LaneInput['rows'], branch: string): void {
    if (rows.some((node) => node?.branch === branch)) this.#taken.push([{ first: 0, last: rows.length }]);
  }

  isFree(lane: number, first: number, last: number): boolean {
    const taken = this.#taken[lane] ?? [];
    let [low, high] = [0, taken.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (taken[middle]!.last >= first) high = middle;
      else low = middle + 1;
    }
    const next = taken[low];
    return !next || next.first > last;
  }

  take(first: number, last: number): number {
    let lane = 0;
    while (lane < this.#taken.length && !this.isFree(lane, first, last)) lane += 1;
    return this.takeThis(lane, first, last);
  }

  takeThis(lane: number, first: number, last: number): number {
    this.#taken[lane] ??= [];
    const taken = this.#taken[lane];
    const at = taken.findIndex((other) => other.first > first);
    taken.splice(at === -1 ? taken.length : at, 0, { first, last });
    return lane;
  }
}
