import { brokenModel } from './model.ts';
import { latinText } from './text-tokens.ts';

export type PlyScalar = 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'float64';

export const plySizes: Record<PlyScalar, number> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  float64: 8,
};

export interface PlyProperty {
  name: string;
  type: PlyScalar;
  /** Of lists: how their length is written. */
  lengthType: PlyScalar | null;
}

export interface PlyElement {
  name: string;
  count: number;
  properties: PlyProperty[];
}

export interface PlyHeader {
  coding: 'ascii' | 'binary_little_endian' | 'binary_big_endian';
  elements: PlyElement[];
  comments: string[];
  /** Where the values begin. */
  start: number;
}

const scalars: Record<string, PlyScalar> = {
  char: 'int8',
  uchar: 'uint8',
  short: 'int16',
  ushort: 'uint16',
  int: 'int32',
  uint: 'uint32',
  float: 'float32',
  double: 'float64',
  ...Object.fromEntries(Object.keys(plySizes).map((name) => [name, name as PlyScalar])),
};

const maxHeaderBytes = 256 * 1024;

const codings: readonly string[] = ['ascii', 'binary_little_endian', 'binary_big_endian'];

/** Bytes of one record; null where lists make them differ. */
export const recordBytes = ({ properties }: PlyElement): number | null =>
  properties.some(({ lengthType }) => lengthType !== null)
    ? null
    : properties.reduce((sum, { type }) => sum + plySizes[type], 0);

/** The header of a PLY file; INVALID_FILE names the line that is none. */
export function parsePlyHeader(bytes: Uint8Array): PlyHeader {
  const text = latinText(bytes, 0, Math.min(bytes.length, maxHeaderBytes));
  const end = /(?:^|[\r\n])end_header[ \t]*(\r\n|\n|\r)/.exec(text);
  if (!end) throw brokenModel('The PLY file ends within its header.');
  const header: PlyHeader = { coding: 'ascii', elements: [], comments: [], start: end.index + end[0].length };
  let hasFormat = false;
  for (const line of text
    .slice(0, end.index)
    .split(/\r\n|\n|\r/)
    .slice(1)) {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    if (word === 'format') {
      const [coding = ''] = rest;
      if (!codings.includes(coding))
        throw brokenModel(`The PLY file is coded as “${coding.slice(0, 40)}”, which is not known.`);
      header.coding = coding as PlyHeader['coding'];
      hasFormat = true;
    } else if (word === 'element') header.elements.push(parseElement(rest));
    else if (word === 'property') parseProperty(rest, header.elements.at(-1));
    else if (word === 'comment' || word === 'obj_info') header.comments.push(rest.join(' ').slice(0, 500));
    else if (word !== '')
      throw brokenModel(`The PLY header has a line that is not known: “${line.slice(0, 60)}”.`);
  }
  if (!hasFormat) throw brokenModel('The PLY header does not say how the file is coded.');
  return header;
}

function parseElement([name = '', countText = '']: string[]): PlyElement {
  const count = Number(countText);
  if (name === '' || !/^\d{1,15}$/.test(countText))
    throw brokenModel(`The PLY header has an element without a count: “${name.slice(0, 40)}”.`);
  return { name, count, properties: [] };
}

function parseProperty(words: string[], element: PlyElement | undefined): void {
  const isList = words[0] === 'list';
  const [typeName = '', name = ''] = isList ? words.slice(2) : words;
  const type = scalars[typeName];
  const lengthType = isList ? scalars[words[1] ?? ''] : null;
  if (!element || !type || lengthType === undefined || name === '')
    throw brokenModel(`The PLY header has a property that is not known: “${words.join(' ').slice(0, 60)}”.`);
  element.properties.push({ name, type, lengthType });
}
