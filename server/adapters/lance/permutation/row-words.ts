import type { ColumnType } from '#shared/domain/column-type.ts';
import type { Data } from '../../../arrow/arrow.ts';
import { createSortCollector, type SortWay } from './sort-values.ts';
import { TextCodes } from './text-codes.ts';

/** A sort column of a table that is sorted piece by piece. */
export interface WordColumn {
  name: string;
  /** Words of a row: one that says null or not, then those of the value, flipped where it goes down. */
  wordCount: number;
  /** Texts are numbered as they come; their words compare right only after {@link WordColumn.settle}. */
  isText: boolean;
  /** Writes the words of a batch; false when a text column has too many different texts. */
  write(data: Data, out: readonly Uint32Array[]): boolean;
  /** Once all texts were seen: makes words that were written so far, and all from now on, their places in order. */
  settle(written: readonly Uint32Array[]): void;
}

const isTextType = (type: ColumnType): boolean =>
  type.kind === 'dictionary' ? isTextType(type.value) : ['utf8', 'large_utf8', 'json'].includes(type.kind);

/** Different texts of a column that may be kept, and their bytes. */
const textLimits = { maxTexts: 2_000_000, maxBytes: 256 * 1024 * 1024 };

/** Null or not as a word, so that it compares as the nulls are wanted. */
const nullWord = (isNull: boolean, { hasNullsFirst }: SortWay): number => Number(isNull !== hasNullsFirst);

function writeNulls(data: Data, out: Uint32Array, way: SortWay): void {
  out.fill(nullWord(false, way), 0, data.length);
  if (data.nullCount === 0) return;
  for (let row = 0; row < data.length; row++) if (!data.getValid(row)) out[row] = nullWord(true, way);
}

/** How a column is sorted by in pieces; null where its values have no order. */
export function createWordColumn(
  { name, type }: { name: string; type: ColumnType },
  way: SortWay,
): WordColumn | null {
  return isTextType(type) ? textColumn(name, way) : valueColumn(name, type, way);
}

function textColumn(name: string, way: SortWay): WordColumn {
  const codes = new TextCodes(textLimits);
  let ranks: Uint32Array | null = null;
  const isNull = nullWord(true, way);
  const toRanks = (ranked: Uint32Array, nulls: Uint32Array, words: Uint32Array, rows: number): void => {
    const flip = way.desc ? 0xffff_ffff : 0;
    for (let row = 0; row < rows; row++)
      words[row] = nulls[row] === isNull ? 0 : (ranked[words[row]!]! ^ flip) >>> 0;
  };
  return {
    name,
    wordCount: 2,
    isText: true,
    write(data, [nulls, words]) {
      writeNulls(data, nulls!, way);
      if (!codes.encode(data, words!)) return false;
      if (ranks) toRanks(ranks, nulls!, words!, data.length);
      return true;
    },
    settle([nulls, words]) {
      ranks = codes.ranks();
      toRanks(ranks, nulls!, words!, words!.length);
    },
  };
}

function valueColumn(name: string, type: ColumnType, way: SortWay): WordColumn | null {
  const plain: SortWay = { desc: false, hasNullsFirst: false };
  const empty = createSortCollector(type, plain)?.take();
  if (empty?.kind !== 'words') return null;
  return {
    name,
    wordCount: empty.words.length + 1,
    isText: false,
    write(data, [nulls, ...out]) {
      const collector = createSortCollector(type, plain, data.length)!;
      collector.add(data);
      const values = collector.take();
      if (values.kind !== 'words') return false;
      writeNulls(data, nulls!, way);
      for (const [w, words] of values.words.entries()) {
        const target = out[w]!;
        const flip = way.desc ? 0xffff_ffff : 0;
        for (let row = 0; row < data.length; row++)
          target[row] = values.nulls !== null && values.nulls[row] !== 0 ? 0 : (words[row]! ^ flip) >>> 0;
      }
      return true;
    },
    settle() {},
  };
}
