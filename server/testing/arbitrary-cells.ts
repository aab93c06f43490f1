import fc from 'fast-check';
import { halfToNumber } from '../arrow/cell-json.ts';

/** Cells of one column type: values as `makeArrowTable` takes them, few enough that equal ones meet often. */
export interface CellKind {
  type: string;
  cell: fc.Arbitrary<unknown>;
  /** The cell as `valuesEqual` knows it. */
  plain(cell: unknown): unknown;
}

const asIs = (cell: unknown): unknown => cell;

const kind = (type: string, values: readonly unknown[], plain: CellKind['plain'] = asIs): CellKind => ({
  type,
  cell: fc.constantFrom(null, ...values),
  plain: (cell) => (cell === null ? null : plain(cell)),
});

const texts = [
  '',
  'cat',
  'Cat',
  'a longer text that does not fit into a few bytes at all, to be compared by blocks',
];
const bytes = texts.map((text) => Buffer.from(text));
const floats = [0, -0, 1.5, Number.NaN, Number.POSITIVE_INFINITY];
const bigNumbers = [0n, -1n, 9_007_199_254_740_993n, 9_007_199_254_740_992n];

const plainBytes = (cell: unknown): Uint8Array => Uint8Array.from(cell as Uint8Array);

/** Every kind of column that a table can have but for blobs and JSON, which Lance keeps in forms of its own. */
export const cellKinds: readonly CellKind[] = [
  kind('bool', [true, false]),
  kind('int8', [-128, 0, 127]),
  kind('uint16', [0, 1, 65_535]),
  kind('int32', [0, 1, -2_147_483_648]),
  kind('int64', bigNumbers),
  kind('uint64', [0n, 1n, 18_446_744_073_709_551_615n]),
  kind('float16', [0x0000, 0x8000, 0x3e00, 0x7e00, 0x7e01], (cell) => halfToNumber(cell as number)),
  kind('float32', floats),
  kind('float64', [...floats, 0.1]),
  kind('utf8', texts),
  kind('large_utf8', texts),
  kind('binary', bytes, plainBytes),
  kind('fixed_size_binary[3]', [Uint8Array.of(1, 2, 3), Uint8Array.of(0, 0, 0)], plainBytes),
  kind('decimal128(20, 3)', [0n, -1n, 123_456_789_012_345_678n]),
  kind('date32', [0, -1, 19_782]),
  kind('timestamp[ns]', [0n, 1n, 1_709_164_800_123_456_789n, 1_709_164_800_123_456_788n]),
  kind('timestamp[us, UTC]', [0n, 1_709_164_800_123_456n]),
  kind('time64[ns]', [0n, 3_661_000_000_001n]),
  kind('duration[ms]', [0n, -2_000n]),
  kind('list<utf8>', [[], [null], [''], ['a', 'b'], ['b', 'a']]),
  kind('list<float64>', [[], [null], [0], [-0], [Number.NaN]]),
  kind('list<list<int32>>', [[], [[]], [null], [[1, 2], []], [[1], [2]]]),
  kind('struct<x: int32, y: utf8>', [
    { x: null, y: null },
    { x: 1, y: '' },
    { x: 1, y: null },
  ]),
  kind('list<struct<label: utf8, score: float64>>', [
    [],
    [{ label: 'cat', score: 0.5 }],
    [{ label: 'cat', score: Number.NaN }],
    [{ label: null, score: null }],
  ]),
  kind('map<utf8, int32>', [
    new Map(),
    new Map([['a', 1]]),
    new Map([
      ['a', 1],
      ['b', 2],
    ]),
    new Map([
      ['b', 2],
      ['a', 1],
    ]),
  ]),
  kind(
    'fixed_size_list<float32>[3]',
    [
      [0, 0, 0],
      [-0, 0, 0],
      [1, 2, 3],
      [1, 2, Number.NaN],
    ],
    (cell) => Float32Array.from(cell as number[]),
  ),
  kind('fixed_size_list<int32>[2]', [
    [0, 0],
    [1, 2],
  ]),
  kind('dictionary<int32, utf8>', ['', 'red', 'green']),
];

const blob = (...numbers: number[]) => ({ data: Buffer.from(numbers), uri: null });

/** Pictures and the like: written as bytes, read as a description, compared by their bytes. */
export const blobKind: CellKind = kind(
  'blob',
  [blob(), blob(1, 2, 3), blob(1, 2, 4), { data: Buffer.alloc(70, 7), uri: null }],
  (cell) => Uint8Array.from((cell as { data: Buffer }).data),
);

/** Lance refuses to add vectors that hold a NaN. */
export const storableKinds: readonly CellKind[] = [
  blobKind,
  ...cellKinds.filter(({ type }) => !type.startsWith('fixed_size_list<float')),
  kind(
    'fixed_size_list<float32>[2]',
    [
      [0, 0],
      [-0, 0],
      [1, 2],
    ],
    (cell) => Float32Array.from(cell as number[]),
  ),
];
