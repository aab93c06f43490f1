import { AppError } from '../api/problem.ts';
import { type ColumnType, formatColumnType } from './column-type.ts';

/** The kinds of indexes that can be asked for. */
export const indexKinds = ['btree', 'bitmap', 'labelList', 'text', 'vector'] as const;
export type IndexKind = (typeof indexKinds)[number];

const kindOfLance: Record<string, IndexKind> = {
  btree: 'btree',
  bitmap: 'bitmap',
  labellist: 'labelList',
  fts: 'text',
  inverted: 'text',
};

/** Lance's name of an index type as one of ours; others (fm, …) as Lance writes them. */
export function indexKindOf(indexType: string): string {
  const name = indexType.toLowerCase().replaceAll('_', '');
  return kindOfLance[name] ?? (name.startsWith('ivf') ? 'vector' : indexType);
}

const isText = ({ kind }: ColumnType): boolean => kind === 'utf8' || kind === 'large_utf8';
const isWhole = ({ kind }: ColumnType): boolean => /^u?int\d+$/.test(kind);
const isFloat = ({ kind }: ColumnType): boolean => /^float\d+$/.test(kind);
const isBytes = ({ kind }: ColumnType): boolean =>
  kind === 'binary' || kind === 'large_binary' || kind === 'fixed_size_binary';
const isTime = ({ kind }: ColumnType): boolean =>
  ['timestamp', 'date32', 'date64', 'time32', 'time64', 'duration'].includes(kind);
const isList = (type: ColumnType): type is ColumnType & { kind: 'list' | 'large_list' } =>
  type.kind === 'list' || type.kind === 'large_list';

/** A column whose cells are vectors that Lance can search: fixed-size lists of floats. */
export const isVectorType = (type: ColumnType): type is ColumnType & { kind: 'fixed_size_list' } =>
  type.kind === 'fixed_size_list' && isFloat(type.item);

const takes: Record<IndexKind, { fits(type: ColumnType): boolean; what: string }> = {
  btree: {
    fits: (type) =>
      isWhole(type) ||
      isFloat(type) ||
      isText(type) ||
      isTime(type) ||
      type.kind === 'bool' ||
      type.kind === 'fixed_size_binary',
    what: 'numbers, texts, times and booleans',
  },
  bitmap: {
    fits: (type) => isWhole(type) || isText(type) || isBytes(type) || isTime(type) || type.kind === 'bool',
    what: 'columns with few different whole numbers, texts, times or booleans',
  },
  labelList: {
    fits: (type) => isList(type) && (isText(type.item) || isWhole(type.item)),
    what: 'lists of texts or whole numbers',
  },
  text: {
    fits: (type) => isText(type) || (isList(type) && isText(type.item)),
    what: 'texts and lists of texts',
  },
  vector: { fits: isVectorType, what: 'vectors (fixed-size lists of floats)' },
};

/** The kinds that can be built on a column of this type. */
export const indexKindsFor = (type: ColumnType): IndexKind[] =>
  indexKinds.filter((kind) => takes[kind].fits(type));

/** Throws BAD_REQUEST unless such an index can be built on the column: Lance ends the process for some that cannot. */
export function assertIndexFits(column: string, type: ColumnType, kind: string): asserts kind is IndexKind {
  if (column.includes('`'))
    throw new AppError({
      code: 'BAD_REQUEST',
      message: `The column “${column}” has a backtick in its name and cannot be indexed.`,
      hint: 'Rename the column.',
    });
  if (kind in takes && takes[kind as IndexKind].fits(type)) return;
  const possible = indexKindsFor(type);
  throw new AppError({
    code: 'BAD_REQUEST',
    message: `“${column}” is of type ${formatColumnType(type)}: an index of the kind ${kind} is for ${takes[kind as IndexKind]?.what ?? 'nothing that Curio knows'}.`,
    hint:
      possible.length === 0
        ? 'Columns of this type cannot be indexed.'
        : `For this column there is ${possible.join(', ')}.`,
  });
}
