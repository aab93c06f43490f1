import { brokenModel, unreadModel } from './model.ts';

/** Any JSON value; what is read of it is looked at before. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json | undefined };
export type JsonObject = { [name: string]: Json | undefined };

export interface GltfFile {
  json: JsonObject;
  isBinary: boolean;
  /** The chunk of bytes in a GLB; null where there is none. */
  chunk: Uint8Array | null;
}

const maxJsonBytes = 64 * 1024 * 1024;
const jsonChunk = 0x4e4f534a;
const binaryChunk = 0x004e4942;

export const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/** The objects of a list; what is none counts as empty. */
export const objectsOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.map(objectOf) : [];

export const numbersOf = (value: Json | undefined): number[] =>
  Array.isArray(value) ? value.map((one) => (typeof one === 'number' ? one : Number.NaN)) : [];

/** A whole number from 0 on; null for anything else. */
export const indexOf = (value: Json | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;

/** Takes a GLB or glTF file apart; INVALID_FILE says what is wrong with it. */
export function openGltf(bytes: Uint8Array, isBinary: boolean): GltfFile {
  const file = isBinary ? openGlb(bytes) : { json: parseJson(bytes), isBinary: false, chunk: null };
  const { version } = objectOf(file.json.asset);
  if (typeof version !== 'string' || !version.startsWith('2.'))
    throw unreadModel(
      `The glTF file is of version ${typeof version === 'string' ? version.slice(0, 10) : 'unknown'}; 2.0 is read.`,
    );
  return file;
}

function openGlb(bytes: Uint8Array): GltfFile {
  if (bytes.length < 20) throw brokenModel('The GLB file ends within its header.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(4, true);
  if (version !== 2) throw unreadModel(`The GLB file is of version ${version}; 2 is read.`);
  const told = view.getUint32(8, true);
  if (told > bytes.length)
    throw brokenModel(`The GLB header says ${told} bytes, but the file has ${bytes.length}: it is cut off.`);
  let json: JsonObject | null = null;
  let chunk: Uint8Array | null = null;
  for (let at = 12; at + 8 <= told; ) {
    const length = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    const start = at + 8;
    if (start + length > told) throw brokenModel('The GLB file has a chunk that goes on beyond its end.');
    const content = bytes.subarray(start, start + length);
    if (type === jsonChunk && !json) json = parseJson(content);
    else if (type === binaryChunk && !chunk) chunk = content;
    at = start + length + ((4 - (length % 4)) % 4);
  }
  if (!json) throw brokenModel('The GLB file has no description of its scene.');
  return { json, isBinary: true, chunk };
}

function parseJson(bytes: Uint8Array): JsonObject {
  if (bytes.length > maxJsonBytes && !isMostlyData(bytes))
    throw unreadModel(`The description of the glTF scene has more than ${maxJsonBytes / 1024 ** 2} MiB.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8').decode(bytes));
  } catch {
    throw brokenModel('The glTF file is cut off or damaged: its description is no whole JSON.');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw brokenModel('The description of the glTF scene is no object.');
  return parsed as JsonObject;
}

/** Embedded buffers are long texts, which cost little to parse; many small values would cost much. */
function isMostlyData(bytes: Uint8Array): boolean {
  let marks = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 44) marks += 1;
  return marks < 4_000_000;
}

/** The bytes of a `data:` address; null for any other. */
export function readDataUri(uri: string): { bytes: Uint8Array; contentType: string } | null {
  const head = /^data:([^,;]*)((?:;[^,;]*)*),/i.exec(uri.slice(0, 400));
  if (!head) return null;
  const [all, contentType = '', options = ''] = head;
  const body = uri.slice(all.length);
  if (/;base64$/i.test(options)) return { bytes: decodeBase64(body), contentType };
  try {
    return { bytes: new TextEncoder().encode(decodeURIComponent(body)), contentType };
  } catch {
    throw brokenModel('The glTF file has an address of data that cannot be decoded.');
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Int16Array(128).fill(-1);
for (let at = 0; at < alphabet.length; at++) values[alphabet.charCodeAt(at)] = at;
values['-'.charCodeAt(0)] = 62;
values['_'.charCodeAt(0)] = 63;

function decodeBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let length = 0;
  let held = 0;
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 61) break;
    if (code <= 32) continue;
    const value = values[code] ?? -1;
    if (value === -1) throw brokenModel('The glTF file has embedded data that are no base64.');
    held = ((held << 6) | value) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (held >> bits) & 0xff;
  }
  return bytes.subarray(0, length);
}
