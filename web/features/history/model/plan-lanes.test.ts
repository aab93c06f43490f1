import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PinnedRef } from '#shared/domain/ref.ts';
import { type LaneInput, type LaneNode, type LanePlan, longestLine, planLanes } from './plan-lanes.ts';

interface Story {
  nodes: LaneNode[];
  forks: Record<string, PinnedRef>;
}

/** Branches that are forked, written to and merged at random: newest first, as the server gives them. */
const stories: fc.Arbitrary<Story> = fc
  .array(
    fc.record({ deed: fc.constantFrom('edit', 'edit', 'edit', 'fork', 'merge'), a: fc.nat(), b: fc.nat() }),
    {
      maxLength: 120,
    },
  )
  .map((deeds) => {
    const heads = new Map<string, number>([['main', 1]]);
    const forks: Record<string, PinnedRef> = {};
    const nodes: LaneNode[] = [{ branch: 'main', version: 1, parent: null, source: null }];
    const known = new Map<string, PinnedRef[]>([['main', [{ branch: 'main', version: 1 }]]]);
    const branchAt = (n: number) => [...heads.keys()][n % heads.size]!;
    const add = (branch: string, source: PinnedRef | null) => {
      const list = known.get(branch)!;
      const ref = { branch, version: heads.get(branch)! + 1 };
      nodes.unshift({ ...ref, parent: list.at(-1) ?? forks[branch] ?? null, source });
      list.push(ref);
      heads.set(branch, ref.version);
    };
    for (const { deed, a, b } of deeds) {
      const branch = branchAt(a);
      const other = branchAt(b);
      if (deed === 'edit') add(branch, null);
      else if (deed === 'merge' && other !== branch)
        add(branch, { branch: other, version: heads.get(other)! });
      else if (deed === 'fork') {
        const name = `b${heads.size}`;
        forks[name] = { branch, version: heads.get(branch)! };
        heads.set(name, heads.get(branch)!);
        known.set(name, []);
      }
    }
    return { nodes, forks };
  });

const layOut = ({ nodes, forks }: Story, more: Partial<LaneInput> = {}): LanePlan =>
  planLanes({
    rows: nodes,
    forkOf: (branch) => forks[branch] ?? null,
    primary: 'main',
    hasMore: false,
    ...more,
  });

/** What lies in each lane of each row: nodes and lines that pass. */
const taken = ({ rows }: LanePlan): string[] =>
  rows.flatMap(({ lane, strokes }, row) => [
    ...(lane === null ? [] : [`${row}/${lane}`]),
    ...strokes.flatMap((stroke) => (stroke.kind === 'through' ? [`${row}/${stroke.lane}`] : [])),
  ]);

/** Rows that can be reached by following lines downwards from a row. */
function follow({ rows }: LanePlan, from: number): Set<number> {
  const reached = new Set<number>();
  for (const stroke of rows[from]!.strokes) {
    if (stroke.kind !== 'leave') continue;
    let row = from + 1;
    while (
      row < rows.length &&
      rows[row]!.strokes.some((one) => one.kind === 'through' && one.lane === stroke.lane)
    )
      row += 1;
    if (rows[row]?.strokes.some((one) => one.kind === 'arrive' && one.lane === stroke.lane)) reached.add(row);
  }
  return reached;
}

const rowOf = ({ nodes, forks }: Story, ref: PinnedRef): number => {
  const own = nodes.findIndex(({ branch, version }) => branch === ref.branch && version <= ref.version);
  const fork = forks[ref.branch];
  return own >= 0 || !fork ? own : rowOf({ nodes, forks }, fork);
};

describe('lanes of any story', () => {
  test('no two lines and versions share a place', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const places = taken(layOut(story));
        expect(new Set(places).size).toBe(places.length);
      }),
    );
  });

  test('every line to a parent is drawn, whole or as a cut that says where it leads', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const plan = layOut(story);
        story.nodes.forEach((node, row) => {
          const reached = follow(plan, row);
          for (const target of [node.parent, node.source]) {
            if (!target) continue;
            const isCut = plan.rows[row]!.strokes.some(
              (stroke) =>
                stroke.kind === 'cut' &&
                stroke.to.branch === target.branch &&
                stroke.to.version === target.version,
            );
            const at = rowOf(story, target);
            expect({ row, at, isDrawn: at === row || isCut || reached.has(at) }).toEqual({
              row,
              at,
              isDrawn: true,
            });
          }
        });
      }),
    );
  });

  test('the primary branch has the first lane for itself', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const { rows } = layOut(story);
        const first = story.nodes.flatMap(({ branch }, row) => (rows[row]!.lane === 0 ? [branch] : []));
        expect(first.every((branch) => branch === 'main')).toBe(true);
        expect(story.nodes.every(({ branch }, row) => branch !== 'main' || rows[row]!.lane === 0)).toBe(true);
      }),
    );
  });
});

const line = (
  branch: string,
  version: number,
  parent: PinnedRef | null,
  source: PinnedRef | null = null,
): LaneNode => ({
  branch,
  version,
  parent,
  source,
});
const at = (branch: string, version: number): PinnedRef => ({ branch, version });

test('a fork and its merge', () => {
  const nodes = [
    line('main', 2, at('main', 1), at('exp', 3)),
    line('exp', 3, at('exp', 2)),
    line('exp', 2, at('main', 1)),
    line('main', 1, null),
  ];
  const { rows, lanes } = layOut({ nodes, forks: { exp: at('main', 1) } });
  expect(lanes).toBe(2);
  expect(rows.map(({ lane }) => lane)).toEqual([0, 1, 1, 0]);
  expect(rows[0]?.strokes).toEqual([
    { kind: 'leave', lane: 0, isMerge: false },
    { kind: 'leave', lane: 1, isMerge: true },
  ]);
});

test('many branches beside a long main stay few lanes: long lines are cut', () => {
  const count = 200;
  const nodes = [
    ...Array.from({ length: count }, (_none, i) => line(`b${i}`, 2, at('main', 1))),
    line('main', 1, null),
  ];
  const { lanes, rows } = layOut({ nodes, forks: {} });
  expect(lanes).toBeLessThanOrEqual(longestLine + 1);
  expect(rows[0]?.strokes).toEqual([{ kind: 'cut', to: at('main', 1), isMerge: false }]);
  expect(rows.at(-1)?.strokes.filter(({ kind }) => kind === 'cut-end')).toHaveLength(count - longestLine);
});

test('what is not loaded yet is a line that goes on below; what is gone is none', () => {
  const nodes = [line('main', 9, at('main', 8)), line('exp', 7, at('exp', 6))];
  const open = layOut({ nodes, forks: { exp: at('main', 3) } }, { hasMore: true });
  expect(open.rows.map(({ strokes }) => strokes.map(({ kind }) => kind))).toEqual([
    ['leave'],
    ['through', 'leave'],
  ]);
  const closed = layOut({ nodes, forks: { exp: at('main', 3) } });
  expect(closed.rows.map(({ strokes }) => strokes.length)).toEqual([0, 0]);
});

test('a parent above its child, where clocks disagree, is cut and not lost', () => {
  const nodes = [line('main', 1, null), line('exp', 2, at('main', 1))];
  expect(layOut({ nodes, forks: { exp: at('main', 1) } }).rows[1]?.strokes).toEqual([
    { kind: 'cut', to: at('main', 1), isMerge: false },
  ]);
});

test('ten thousand versions on two hundred branches are laid out', () => {
  const nodes = Array.from({ length: 10_000 }, (_none, i) => {
    const branch = i % 3 === 0 ? 'main' : `b${i % 200}`;
    return line(
      branch,
      20_000 - i,
      at(branch, 20_000 - i - 1),
      i % 50 === 0 ? at(`b${(i + 1) % 200}`, 20_000 - i) : null,
    );
  });
  const { rows, lanes } = layOut({ nodes, forks: {} }, { hasMore: true });
  expect(rows).toHaveLength(10_000);
  expect(lanes).toBeLessThan(2 * longestLine);
});
