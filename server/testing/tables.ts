import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Table } from '@lancedb/lancedb';
import type { LanceHome } from '../adapters/lance/connect.ts';
import { openHome } from '../adapters/lance/connect.ts';
import { type MadeColumn, makeArrowTable } from './columns.ts';

export interface TestHome extends LanceHome {
  /** Removes the folder. */
  remove(): Promise<void>;
}

/** An empty home of tables in a temporary folder. */
export async function makeTestHome(): Promise<TestHome> {
  const path = await mkdtemp(join(tmpdir(), 'curio-home-'));
  const home = await openHome(path);
  return { ...home, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A table as Curio makes them: with stable row ids. */
export function makeTable(
  home: LanceHome,
  name: string,
  columns: Record<string, MadeColumn>,
): Promise<Table> {
  return home.connection.createTable(name, makeArrowTable(columns));
}

/** A table as other programs make them: no stable row ids, no key, no facts in its fields. */
export async function makeForeignTable(
  home: LanceHome,
  name: string,
  columns: Record<string, MadeColumn>,
): Promise<Table> {
  const connection = await connect(home.path, { readConsistencyInterval: 0 });
  return connection.createTable(name, makeArrowTable(columns));
}

/** A picture of one pixel. */
export const tinyPng: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const day = 86_400;

/** One column of every type that Lance takes, named by type; three rows, the last of them null. */
export const everyType: Record<string, MadeColumn> = {
  id: { type: 'int64', values: [1n, 2n, 3n], nullable: false, metadata: { 'curio:key': '1' } },
  bool: { type: 'bool', values: [true, false, null] },
  int8: { type: 'int8', values: [-128, 127, null] },
  int16: { type: 'int16', values: [-32_768, 32_767, null] },
  int32: { type: 'int32', values: [-2_147_483_648, 2_147_483_647, null] },
  int64: { type: 'int64', values: [-9_223_372_036_854_775_808n, 9_007_199_254_740_993n, null] },
  uint8: { type: 'uint8', values: [0, 255, null] },
  uint16: { type: 'uint16', values: [0, 65_535, null] },
  uint32: { type: 'uint32', values: [0, 4_294_967_295, null] },
  uint64: { type: 'uint64', values: [0n, 18_446_744_073_709_551_615n, null] },
  float16: { type: 'float16', values: [0x3e00, 0x7c00, null] },
  float32: { type: 'float32', values: [1.5, Number.NaN, null] },
  float64: { type: 'float64', values: [0.1, Number.NEGATIVE_INFINITY, null] },
  utf8: { type: 'utf8', values: ['a “quote”, \n and 🐈', '', null] },
  large_utf8: { type: 'large_utf8', values: ['large', 'also large', null] },
  binary: { type: 'binary', values: [Buffer.from([0, 255]), Buffer.from([]), null] },
  fixed_size_binary: {
    type: 'fixed_size_binary[4]',
    values: [Uint8Array.of(1, 2, 3, 4), Uint8Array.of(0, 0, 0, 0), null],
  },
  decimal128: { type: 'decimal128(20, 3)', values: [123_456n, -1n, null] },
  date32: { type: 'date32', values: [19_782, -1, null] },
  date64: { type: 'date64', values: [BigInt(19_782 * day) * 1000n, BigInt(-day) * 1000n, null] },
  timestamp_s: { type: 'timestamp[s]', values: [1_709_164_800n, -1n, null] },
  timestamp_ms: { type: 'timestamp[ms, UTC]', values: [1_709_164_800_123n, -1n, null] },
  timestamp_us: { type: 'timestamp[us, Europe/Berlin]', values: [1_709_164_800_123_456n, -1n, null] },
  timestamp_ns: { type: 'timestamp[ns]', values: [1_709_164_800_123_456_789n, -1n, null] },
  time32: { type: 'time32[s]', values: [3_661, 0, null] },
  time64: { type: 'time64[ns]', values: [3_661_000_000_001n, 0n, null] },
  duration: { type: 'duration[ms]', values: [1_500n, -2_000n, null] },
  list: { type: 'list<utf8>', values: [['a', null, 'b'], [], null] },
  list_list: { type: 'list<list<int32>>', values: [[[1, 2], [], null], [], null] },
  struct: { type: 'struct<x: int32, y: utf8>', values: [{ x: 1, y: 'one' }, { x: null, y: null }, null] },
  list_struct: {
    type: 'list<struct<label: utf8, score: float64>>',
    values: [[{ label: 'cat', score: 0.5 }], [], null],
  },
  map: { type: 'map<utf8, int32>', values: [new Map([['a', 1]]), new Map(), null] },
  vector: { type: 'fixed_size_list<float32>[3]', values: [[1, 2, 3], [0, 0, Number.NaN], null] },
  vector_half: { type: 'fixed_size_list<float16>[2]', values: [[0x3c00, 0x4000], [0, 0], null] },
  dictionary: { type: 'dictionary<int32, utf8>', values: ['red', 'green', null] },
  json: { type: 'json', values: ['{"a":1}', '[]', null] },
};

/** Pictures in a blob column, a plain binary column and a `{bytes, path}` struct; the third row is null, the fourth empty. */
export const mediaColumns: Record<string, MadeColumn> = {
  id: { type: 'int64', values: [1n, 2n, 3n, 4n], metadata: { 'curio:key': '1' } },
  picture: {
    type: 'blob',
    values: [
      { data: tinyPng, uri: null },
      { data: Buffer.from('%PDF-1.7 \n'), uri: null },
      null,
      { data: Buffer.alloc(0), uri: null },
    ],
  },
  raw: { type: 'binary', values: [tinyPng, Buffer.from('RIFF\0\0\0\0WAVEfmt '), null, Buffer.alloc(0)] },
  image: {
    type: 'struct<bytes: binary, path: utf8>',
    values: [
      { bytes: tinyPng, path: 'a.png' },
      { bytes: null, path: 'b.png' },
      null,
      { bytes: Buffer.alloc(0), path: null },
    ],
  },
  caption: { type: 'utf8', values: ['one', 'two', null, 'four'] },
};
