import type { Facet, FacetCube } from '#shared/api/facets.ts';
import { barOfCode } from '#shared/domain/facets/bins.ts';
import {
  blocksOf,
  countCodes,
  countRowsIn,
  type MaskedCondition,
  markFailures,
  maskOfBoth,
  maskWithout,
} from '#shared/domain/facets/count-facets.ts';
import { type CodedRows, createCubeCounter } from '#shared/domain/facets/cube.ts';
import type { FacetColumn } from './facet-column.ts';

/** A condition over the rows, block by block. */
export interface RowCondition {
  owner: string | null;
  mask(from: number, to: number): Uint8Array;
}

export interface CountInput {
  rows: number;
  facets: readonly FacetColumn[];
  conditions: readonly RowCondition[];
  marked: RowCondition | null;
  /** The column whose cube is wanted. */
  active: string | undefined;
}

export interface Counted {
  matching: number;
  marked: number | null;
  facets: Facet[];
  cube: FacetCube | null;
}

/** A block of rows as it was read once for all that counts it. */
interface Block {
  coded: readonly CodedRows[];
  masked: readonly MaskedCondition[];
}

/** Counts all columns, and the cube of one, in one pass over the rows; yields between blocks how many are done. */
export function* countRows(input: CountInput): Generator<number, Counted> {
  const { rows, facets, conditions, marked } = input;
  const cube = createCube(input);
  const isPlain = conditions.length === 0 && marked === null;
  const tallies = facets.map(({ column }) => createTally(column));
  let matching = 0;
  let markedRows = 0;
  if (!isPlain || cube)
    for (const [from, to] of blocksOf(rows)) {
      const block: Block = {
        coded: facets.map((facet) => facet.block(from, to)),
        masked: conditions.map(({ owner, mask }) => ({ owner, mask: mask(from, to) })),
      };
      if (!isPlain) {
        const failures = markFailures(to - from, block.masked);
        const inside = conditions.length > 0 ? maskWithout(failures.marks, failures.owners, []) : null;
        const chosen = marked?.mask(from, to) ?? null;
        const both = chosen && inside ? maskOfBoth(chosen, inside) : chosen;
        matching += inside ? countRowsIn(inside) : to - from;
        if (both) markedRows += countRowsIn(both);
        for (const [at, tally] of tallies.entries())
          tally.add(block.coded[at]!, { ...failures, inside, marked: both });
      }
      cube?.add(block, to - from);
      yield to;
    }
  return {
    matching: isPlain ? rows : matching,
    marked: marked && markedRows,
    facets: facets.map((facet, at) => {
      const { column, kind, bins, distinct, figures, all, size } = facet;
      const of = (counts: Float64Array): number[] => [...counts.subarray(0, size)];
      const tally = tallies[at]!;
      const inside = conditions.length > 0 ? of(tally.inside) : all;
      const kept = conditions.some(({ owner }) => owner === column) ? of(tally.kept) : inside;
      return { column, kind, bins, distinct, figures, all, kept, inside, marked: marked && of(tally.marked) };
    }),
    cube: cube?.finish() ?? null,
  };
}

interface Masks {
  marks: Uint8Array;
  owners: readonly string[];
  /** Under all conditions; null where there are none. */
  inside: Uint8Array | null;
  marked: Uint8Array | null;
}

/** The counts of one column. */
function createTally(column: string) {
  const [inside, kept, marked] = [new Float64Array(256), new Float64Array(256), new Float64Array(256)];
  return {
    inside,
    kept,
    marked,
    add(coded: CodedRows, masks: Masks) {
      if (masks.inside) countCodes(coded, masks.inside, inside);
      if (masks.owners.includes(column))
        countCodes(coded, maskWithout(masks.marks, masks.owners, [column]), kept);
      if (masks.marked) countCodes(coded, masks.marked, marked);
    },
  };
}

/** The cube of one column against every other: of the rows that pass all conditions but those on the two. */
function createCube({ facets, active }: CountInput) {
  const at = facets.findIndex(({ column, isList }) => column === active && !isList);
  if (at < 0) return null;
  const brushed = facets[at]!;
  const totals = new Float64Array(256);
  const others = facets.flatMap((other, index) => {
    if (index === at) return [];
    const width = other.bins.bars.length + 4;
    const place = barOfCode(other.bins);
    const counter = createCubeCounter({ codes: brushed.size, otherCodes: other.size, place, width });
    return [{ index, column: other.column, width, counter }];
  });
  return {
    add({ coded, masked }: Block, rows: number) {
      const rest = masked.filter(({ owner }) => owner !== brushed.column);
      const failures = rest.length > 0 ? markFailures(rows, rest) : null;
      const without = (columns: string[]): Uint8Array | null =>
        failures && maskWithout(failures.marks, failures.owners, columns);
      const plain = without([]);
      const { codes } = coded[at]!;
      for (const { index, column, counter } of others) {
        const mask = failures?.owners.includes(column) ? without([column]) : plain;
        counter.add({ active: codes, other: coded[index]!, mask });
      }
      countCodes({ codes }, plain, totals);
    },
    finish(): FacetCube {
      const sums = [0];
      for (const rows of totals.subarray(0, brushed.size)) sums.push(sums.at(-1)! + rows);
      return {
        column: brushed.column,
        others: others.map(({ column, width, counter }) => ({
          column,
          width,
          prefix: Array.from(counter.finish().prefix),
        })),
        totals: sums,
      };
    },
  };
}
