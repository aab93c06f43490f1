import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findBase, type MergeLink, type RefGraph } from './merge-base.ts';
import type { PinnedRef } from './ref.ts';

const at = (branch: string, version: number): PinnedRef => ({ branch, version });

const graphOf = (
  parents: Record<string, PinnedRef>,
  merges: (Omit<MergeLink, 'voided'> & Partial<MergeLink>)[] = [],
  restores: RefGraph['restores'] = [],
): RefGraph => ({
  branches: [
    { name: 'main', parent: null },
    ...Object.entries(parents).map(([name, parent]) => ({ name, parent })),
  ],
  merges: merges.map((merge) => ({ voided: [], ...merge })),
  restores,
});

describe('findBase', () => {
  test('is the version at which a branch left main', () => {
    const graph = graphOf({ exp: at('main', 9) });
    expect(findBase(graph, at('exp', 12), at('main', 15))).toEqual(at('main', 9));
    expect(findBase(graph, at('main', 15), at('exp', 12))).toEqual(at('main', 9));
  });

  test('is the older ref on one branch, and of a ref that is older than the fork', () => {
    const graph = graphOf({ exp: at('main', 9) });
    expect(findBase(graph, at('exp', 12), at('exp', 10))).toEqual(at('exp', 10));
    expect(findBase(graph, at('main', 3), at('main', 7))).toEqual(at('main', 3));
    expect(findBase(graph, at('exp', 12), at('main', 4))).toEqual(at('main', 4));
  });

  test('goes through nested branches', () => {
    const graph = graphOf({ a: at('main', 5), 'a/b': at('a', 8), 'a/c': at('a', 7), d: at('main', 3) });
    expect(findBase(graph, at('a/b', 12), at('main', 20))).toEqual(at('main', 5));
    expect(findBase(graph, at('a/b', 12), at('a/c', 10))).toEqual(at('a', 7));
    expect(findBase(graph, at('a/b', 12), at('d', 10))).toEqual(at('main', 3));
    expect(findBase(graph, at('a/b', 8), at('a', 11))).toEqual(at('a', 8));
  });

  test('is the merged version after a merge, and the rebased version after a rebase', () => {
    const merged = graphOf({ exp: at('main', 9) }, [{ branch: 'main', version: 11, from: at('exp', 12) }]);
    expect(findBase(merged, at('exp', 14), at('main', 13))).toEqual(at('exp', 12));
    expect(findBase(merged, at('exp', 14), at('main', 10))).toEqual(at('main', 9));
    const rebased = graphOf({ exp: at('main', 9) }, [{ branch: 'exp', version: 13, from: at('main', 12) }]);
    expect(findBase(rebased, at('exp', 14), at('main', 15))).toEqual(at('main', 12));
  });

  test('follows merges through a third branch', () => {
    const graph = graphOf({ a: at('main', 2), b: at('main', 2) }, [
      { branch: 'b', version: 4, from: at('a', 5) },
      { branch: 'main', version: 7, from: at('b', 6) },
    ]);
    expect(findBase(graph, at('a', 8), at('main', 9))).toEqual(at('a', 5));
  });

  test('takes the newest of the best in a criss-cross', () => {
    const graph = graphOf({ exp: at('main', 2) }, [
      { branch: 'main', version: 6, from: at('exp', 4) },
      { branch: 'exp', version: 8, from: at('main', 5) },
    ]);
    expect(findBase(graph, at('exp', 9), at('main', 9))).toEqual(at('main', 5));
    expect(findBase(graph, at('main', 9), at('exp', 9))).toEqual(at('main', 5));
  });

  test('forgets a merge that was undone, and knows it again when the undo was undone', () => {
    const graph = graphOf({ exp: at('main', 9) }, [
      { branch: 'main', version: 11, from: at('exp', 12), voided: [{ from: 13, to: 15 }] },
    ]);
    expect(findBase(graph, at('exp', 14), at('main', 12))).toEqual(at('exp', 12));
    expect(findBase(graph, at('exp', 14), at('main', 13))).toEqual(at('main', 9));
    expect(findBase(graph, at('exp', 14), at('main', 15))).toEqual(at('exp', 12));
  });

  test('a restore drops what lay between', () => {
    const graph = graphOf(
      { exp: at('main', 9) },
      [{ branch: 'main', version: 11, from: at('exp', 12) }],
      [{ branch: 'main', version: 14, ref: at('main', 10) }],
    );
    expect(findBase(graph, at('exp', 14), at('main', 13))).toEqual(at('exp', 12));
    expect(findBase(graph, at('exp', 14), at('main', 16))).toEqual(at('main', 9));
    expect(findBase(graph, at('main', 16), at('main', 12))).toEqual(at('main', 10));
  });

  test('is null for a branch that is not known', () => {
    expect(findBase(graphOf({}), at('gone', 3), at('main', 3))).toBeNull();
  });

  test('agrees with a search over every single version', () => {
    const story = fc.array(
      fc.record({
        act: fc.constantFrom('commit', 'branch', 'merge'),
        on: fc.nat(20),
        other: fc.nat(20),
      }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(story, fc.nat(20), fc.nat(20), (steps, pickFrom, pickInto) => {
        const heads: PinnedRef[] = [at('main', 1)];
        const parents: Record<string, PinnedRef> = {};
        const merges: MergeLink[] = [];
        const ancestors = new Map<string, Set<string>>();
        const nameOf = (ref: PinnedRef) => `${ref.branch}:${ref.version}`;
        const born = (ref: PinnedRef, ...before: PinnedRef[]) => {
          const set = new Set([nameOf(ref)]);
          for (const each of before) for (const name of ancestors.get(nameOf(each)) ?? []) set.add(name);
          ancestors.set(nameOf(ref), set);
        };
        born(at('main', 1));
        for (const { act, on, other } of steps) {
          const index = on % heads.length;
          const head = heads[index] as PinnedRef;
          const rival = heads[other % heads.length] as PinnedRef;
          if (act === 'branch') {
            const name = `b${heads.length}`;
            parents[name] = head;
            const first = at(name, head.version);
            born(first, head);
            heads.push(first);
          } else {
            const next = at(head.branch, head.version + 1);
            heads[index] = next;
            if (act === 'merge' && rival.branch !== head.branch) {
              merges.push({ branch: next.branch, version: next.version, from: rival, voided: [] });
              born(next, head, rival);
            } else born(next, head);
          }
        }
        const from = heads[pickFrom % heads.length] as PinnedRef;
        const into = heads[pickInto % heads.length] as PinnedRef;
        const base = findBase(graphOf(parents, merges), from, into);
        const ofFrom = ancestors.get(nameOf(from)) as Set<string>;
        const ofInto = ancestors.get(nameOf(into)) as Set<string>;
        const common = [...ofFrom].filter((name) => ofInto.has(name));
        const best = common.filter((name) =>
          common.every((rival) => rival === name || !ancestors.get(rival)?.has(name)),
        );
        expect(best).toContain(nameOf(base as PinnedRef));
      }),
    );
  });
});
