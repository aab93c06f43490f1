import type { ColumnType } from './column-type.ts';
import type { ColumnRole } from './columns.ts';

/** A few cells of a column, to guess its role from. */
export interface ColumnSample {
  /** Of text columns; without nulls. */
  texts?: readonly string[];
  /** Of columns of bytes: what the bytes are; without nulls and empty values. */
  mediaTypes?: readonly string[];
}

const isBytes = (type: ColumnType): boolean => type.kind === 'binary' || type.kind === 'large_binary';
const isText = (type: ColumnType): boolean => type.kind === 'utf8' || type.kind === 'large_utf8';
const isFloat = (type: ColumnType): boolean =>
  type.kind === 'float16' || type.kind === 'float32' || type.kind === 'float64';

/** A struct of `bytes` and `path`, as Hugging Face datasets store media. */
export function isBytesPathStruct(type: ColumnType): boolean {
  if (type.kind !== 'struct' || type.fields.length !== 2) return false;
  const of = (name: string): ColumnType | undefined => type.fields.find((field) => field.name === name)?.type;
  const bytes = of('bytes');
  const path = of('path');
  return bytes !== undefined && path !== undefined && isBytes(bytes) && isText(path);
}

/** Columns whose cells travel as address, size and kind, never as bytes. */
export const isMediaType = (type: ColumnType): boolean =>
  type.kind === 'blob' || isBytes(type) || isBytesPathStruct(type);

/** What has to be looked at before the role of such a column can be guessed. */
export const sampleNeeded = (type: ColumnType): 'texts' | 'media' | null =>
  isMediaType(type) ? 'media' : isText(type) ? 'texts' : null;

const boxNames: readonly (readonly string[])[] = [
  ['x', 'y', 'w', 'h'],
  ['x', 'y', 'width', 'height'],
  ['x1', 'y1', 'x2', 'y2'],
  ['xmin', 'ymin', 'xmax', 'ymax'],
  ['x_min', 'y_min', 'x_max', 'y_max'],
  ['left', 'top', 'width', 'height'],
  ['left', 'top', 'right', 'bottom'],
];

const isBoxName = (name: string): boolean => /(^|_)(b?box(es)?|rects?)($|_)/i.test(name);
const isLabelName = (name: string): boolean =>
  /(^|_)(labels?|class(es)?|categor(y|ies)|tags?|split|genre|species)($|_)/i.test(name);

function isBox(name: string, type: ColumnType): boolean {
  switch (type.kind) {
    case 'list':
    case 'large_list':
      return isBox(name, type.item);
    case 'struct': {
      const names = new Set(type.fields.map((field) => field.name.toLowerCase()));
      return boxNames.some((box) => box.every((part) => names.has(part)));
    }
    case 'fixed_size_list':
      return type.size === 4 && isBoxName(name);
    default:
      return isBoxName(name) && (isFloat(type) || type.kind.startsWith('int'));
  }
}

/** What pictures of classes are called in data sets: `gt_mask`, `segMap`, `trimap`, or only `label` and `annotation`. */
const isMaskName = (name: string): boolean =>
  /^(labels?|annotations?)$/i.test(name) ||
  /(^|_)(masks?|seg|segmentations?|(seg|segmentation|label|class)_?maps?|tri_?maps?|panoptic)($|_)/i.test(
    name.replace(/([a-z])([A-Z])/g, '$1_$2'),
  );

function guessMediaRole(name: string, mediaTypes: readonly string[]): ColumnRole {
  const groups = new Set(mediaTypes.map((type) => type.split('/')[0]));
  if (groups.size !== 1) return 'blob';
  if (groups.has('image')) return isMaskName(name) ? 'mask' : 'image';
  return groups.has('video') ? 'video' : groups.has('audio') ? 'audio' : 'blob';
}

const longText = 48;
const maxLabelLength = 40;

function guessTextRole(name: string, texts: readonly string[]): ColumnRole {
  if (texts.length === 0) return isLabelName(name) ? 'label' : 'text';
  if (texts.every((text) => /^(https?|s3|gs|az|hf|ftp|file):\/\/\S+$/i.test(text))) return 'url';
  const longest = Math.max(...texts.map((text) => text.length));
  const mean = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  if (mean > longText || longest > maxLabelLength) return 'text';
  if (isLabelName(name)) return 'label';
  const distinct = new Set(texts).size;
  return texts.length >= 8 && distinct <= texts.length / 2 ? 'label' : 'text';
}

/** The role of a column that nobody gave one, from its name, its type and a few cells. */
export function guessRole({
  name,
  type,
  sample,
}: {
  name: string;
  type: ColumnType;
  sample?: ColumnSample;
}): ColumnRole {
  if (isMediaType(type)) return guessMediaRole(name, sample?.mediaTypes ?? []);
  if (isBox(name, type)) return 'box';
  switch (type.kind) {
    case 'utf8':
    case 'large_utf8':
      return guessTextRole(name, sample?.texts ?? []);
    case 'json':
      return 'json';
    case 'bool':
    case 'dictionary':
      return 'label';
    case 'timestamp':
    case 'date32':
    case 'date64':
    case 'time32':
    case 'time64':
      return 'time';
    case 'fixed_size_list':
      return isFloat(type.item) && type.size > 1 ? 'vector' : 'other';
    case 'list':
    case 'large_list':
      if (isText(type.item) || type.item.kind === 'dictionary') return 'label';
      return type.item.kind === 'fixed_size_list' && isFloat(type.item.item) ? 'vector' : 'other';
    case 'duration':
    case 'decimal128':
    case 'decimal256':
      return 'number';
    default:
      if (/^u?int(8|16|32|64)$/.test(type.kind)) return isLabelName(name) ? 'label' : 'number';
      return isFloat(type) ? 'number' : 'other';
  }
}
