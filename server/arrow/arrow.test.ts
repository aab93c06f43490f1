import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abortedError } from '#shared/api/problem.ts';
import { wire } from '#shared/api/wire.ts';
import { makeArrowTable } from '../testing/columns.ts';
import { everyType } from '../testing/tables.ts';
import { arrow, type Table } from './arrow.ts';
import { cellToJson, decimalToBigInt, formatDecimal, halfToNumber } from './cell-json.ts';
import { formatDate, formatDuration, formatTime, formatTimestamp } from './format-time.ts';
import { gather, gatherBatch } from './gather.ts';
import {
  bodyOf,
  encodeSchema,
  endMarker,
  messageKind,
  messagesOf,
  schemaOf,
  streamOfFiles,
  withFacts,
} from './ipc.ts';
import { maxJsonRows, readRowsAsJson } from './rows-as-json.ts';
import { streamOfTables } from './stream-of-tables.ts';

const every = makeArrowTable(everyType);
const signal = new AbortController().signal;

const jsonOf = (table: Table): unknown[] =>
  Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(
      table.schema.fields.map(({ name }, at) => [name, cellToJson(table.getChildAt(at)!, row)]),
    ),
  );

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

async function* oneByOne<T>(...values: T[]): AsyncGenerator<T> {
  yield* values;
}

describe('IPC messages', () => {
  const small = makeArrowTable({ n: { type: 'int32', values: [1, 2, 3] } });

  it.each(['file', 'stream'] as const)('are found in a %s without parsing', (format) => {
    const bytes = arrow.tableToIPC(small, format);
    const last = messagesOf(bytes).at(-1)!;
    expect([last.kind, last.rows]).toEqual([messageKind.batch, 3]);
    expect(bodyOf(bytes)).toEqual(bytes.subarray(last.start, last.end));
  });

  it('make one stream of several files, with facts in its schema', async () => {
    const file = arrow.tableToIPC(small, 'file');
    const schema = withFacts(
      schemaOf(file),
      { [wire.total]: '6' },
      new Map([['n', { 'curio:role': 'number' }]]),
    );
    const bytes = await joined(streamOfFiles(oneByOne(file, file), schema));
    const table = arrow.tableFromIPC(bytes);
    expect(bytes.subarray(-8)).toEqual(Buffer.from(endMarker));
    expect([...table.getChild('n')!]).toEqual([1, 2, 3, 1, 2, 3]);
    expect(table.schema.metadata.get(wire.total)).toBe('6');
    expect(table.schema.fields[0]!.metadata.get('curio:role')).toBe('number');
  });

  it('tell schemas apart by all that they say', () => {
    const named = (owner: string) => encodeSchema(withFacts(small.schema, {}, new Map([['n', { owner }]])));
    const ownerIn = (bytes: Uint8Array) => schemaOf(bytes).fields[0]!.metadata.get('owner');
    expect([named('a'), named('b'), named('a')].map(ownerIn)).toEqual(['a', 'b', 'a']);
    expect(schemaOf(named('a'))).toBe(schemaOf(Buffer.concat([named('a'), endMarker])));
  });

  it('a schema alone is a whole stream', () => {
    const bytes = Buffer.concat([encodeSchema(every.schema), endMarker]);
    expect(String(arrow.tableFromIPC(bytes).schema)).toBe(String(every.schema));
  });
});

describe('cells as JSON', () => {
  it('lose nothing', () => {
    expect(jsonOf(every).slice(0, 2)).toEqual([
      {
        id: '1',
        bool: true,
        int8: -128,
        int16: -32_768,
        int32: -2_147_483_648,
        int64: '-9223372036854775808',
        uint8: 0,
        uint16: 0,
        uint32: 0,
        uint64: '0',
        float16: 1.5,
        float32: 1.5,
        float64: 0.1,
        utf8: 'a “quote”, \n and 🐈',
        large_utf8: 'large',
        binary: 'AP8=',
        fixed_size_binary: 'AQIDBA==',
        decimal128: '123.456',
        date32: '2024-02-29',
        date64: '2024-02-29',
        timestamp_s: '2024-02-29T00:00:00',
        timestamp_ms: '2024-02-29T00:00:00.123Z',
        timestamp_us: '2024-02-29T00:00:00.123456Z',
        timestamp_ns: '2024-02-29T00:00:00.123456789',
        time32: '01:01:01',
        time64: '01:01:01.000000001',
        duration: 'PT1.500S',
        list: ['a', null, 'b'],
        list_list: [[1, 2], [], null],
        struct: { x: 1, y: 'one' },
        list_struct: [{ label: 'cat', score: 0.5 }],
        map: { a: 1 },
        vector: [1, 2, 3],
        vector_half: [1, 2],
        dictionary: 'red',
        json: '{"a":1}',
      },
      {
        id: '2',
        bool: false,
        int8: 127,
        int16: 32_767,
        int32: 2_147_483_647,
        int64: '9007199254740993',
        uint8: 255,
        uint16: 65_535,
        uint32: 4_294_967_295,
        uint64: '18446744073709551615',
        float16: 'Infinity',
        float32: 'NaN',
        float64: '-Infinity',
        utf8: '',
        large_utf8: 'also large',
        binary: '',
        fixed_size_binary: 'AAAAAA==',
        decimal128: '-0.001',
        date32: '1969-12-31',
        date64: '1969-12-31',
        timestamp_s: '1969-12-31T23:59:59',
        timestamp_ms: '1969-12-31T23:59:59.999Z',
        timestamp_us: '1969-12-31T23:59:59.999999Z',
        timestamp_ns: '1969-12-31T23:59:59.999999999',
        time32: '00:00:00',
        time64: '00:00:00.000000000',
        duration: '-PT2.000S',
        list: [],
        list_list: [],
        struct: { x: null, y: null },
        list_struct: [],
        map: {},
        vector: [0, 0, 'NaN'],
        vector_half: [0, 0],
        dictionary: 'green',
        json: '[]',
      },
    ]);
    expect(Object.values(jsonOf(every)[2] as object).filter((cell) => cell !== null)).toEqual(['3']);
  });

  it('times are those of Date wherever Date can tell', () => {
    const ms = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
    fc.assert(
      fc.property(ms, (at) => {
        const iso = new Date(at).toISOString();
        expect(formatTimestamp(BigInt(at), 1, true)).toBe(iso);
        expect(formatTimestamp(BigInt(at) * 1_000_000n, 3, false)).toBe(iso.replace('Z', '000000'));
        expect(formatDate(BigInt(at), false)).toBe(iso.slice(0, 10));
      }),
    );
    expect(formatTimestamp(253_402_300_800n, 0, true)).toBe('+010000-01-01T00:00:00Z');
    expect(formatTimestamp(-62_167_219_201n, 0, false)).toBe('-000001-12-31T23:59:59');
    expect(formatTime(86_399_999_999n, 2)).toBe('23:59:59.999999');
    expect(formatDuration(-1n, 3)).toBe('-PT0.000000001S');
  });

  it('decimals keep every digit', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }),
        fc.integer({ min: 0, max: 38 }),
        (unscaled, scale) => {
          const words = Uint32Array.from({ length: 4 }, (_, i) =>
            Number(BigInt.asUintN(32, unscaled >> BigInt(i * 32))),
          );
          expect(decimalToBigInt(words, 0, 4)).toBe(unscaled);
          const text = formatDecimal(unscaled, scale);
          expect(BigInt(text.replace('.', ''))).toBe(unscaled);
          expect(text.split('.')[1]?.length ?? 0).toBe(scale);
        },
      ),
    );
    expect(formatDecimal(12n, -2)).toBe('1200');
  });

  it('halves are those of the language', () => {
    const half = new Float16Array(1);
    const bits = new Uint16Array(half.buffer);
    for (let value = 0; value < 65_536; value++) {
      bits[0] = value;
      expect(
        Object.is(halfToNumber(value), half[0]) ||
          (Number.isNaN(half[0]) && Number.isNaN(halfToNumber(value))),
      ).toBe(true);
    }
  });
});

describe('gathering', () => {
  it('gives the cells of any type at the indices, nulls for -1', () => {
    const rows = jsonOf(every);
    const indices = fc.array(fc.integer({ min: -1, max: every.numRows - 1 }), { maxLength: 20 });
    fc.assert(
      fc.property(indices, (picked) => {
        for (const { name } of every.schema.fields) {
          const column = gather(every.getChild(name)!.data[0]!, Int32Array.from(picked));
          const cells = picked.map((_, row) => cellToJson(arrow.makeVector(column), row));
          expect(cells).toEqual(
            picked.map((index) => (index < 0 ? null : (rows[index] as Record<string, unknown>)[name])),
          );
        }
      }),
      { numRuns: 30 },
    );
  });

  it('works on slices', () => {
    const batch = every.slice(1).batches[0]!;
    expect(jsonOf(new arrow.Table([gatherBatch(batch, Int32Array.of(1, 0))]))).toEqual([
      jsonOf(every)[2],
      jsonOf(every)[1],
    ]);
  });
});

describe('streams of tables', () => {
  it('carry every type, dictionaries as their values', async () => {
    const table = arrow.tableFromIPC(await joined(streamOfTables([every, every], every.schema)));
    expect(jsonOf(table)).toEqual([...jsonOf(every), ...jsonOf(every)]);
    expect(String(table.schema.fields.find(({ name }) => name === 'dictionary')!.type)).toBe('Utf8');
  });
});

describe('rows as JSON', () => {
  const numbers = (rows: number) =>
    makeArrowTable({ n: { type: 'int32', values: Int32Array.from({ length: rows }, (_, i) => i) } });
  const chunks = (table: Table, facts: Record<string, string> = {}) =>
    streamOfTables([table], withFacts(table.schema, facts));

  it('are all there, with the facts of the stream', async () => {
    const read = await readRowsAsJson(
      chunks(numbers(3), { [wire.ref]: 'main:4', [wire.total]: '9', [wire.exact]: 'true' }),
      signal,
    );
    expect(read).toEqual({
      ref: 'main:4',
      total: 9,
      scope: 'all',
      exact: true,
      rows: [{ n: 0 }, { n: 1 }, { n: 2 }],
    });
  });

  it('end at 10,000, and the scope says so', async () => {
    const whole = await readRowsAsJson(chunks(numbers(maxJsonRows)), signal);
    expect([whole.rows.length, whole.scope]).toEqual([maxJsonRows, 'all']);
    const cut = await readRowsAsJson(chunks(numbers(maxJsonRows + 1), { [wire.total]: '10001' }), signal);
    expect([cut.rows.length, cut.total, cut.scope]).toEqual([maxJsonRows, 10_001, 'first 10000']);
  });

  it('a stream that is cut off is an error, not fewer rows', async () => {
    const bytes = await joined(chunks(numbers(100)));
    await expect(
      readRowsAsJson(oneByOne(bytes.subarray(0, bytes.length - 200)), signal),
    ).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
    await expect(readRowsAsJson(oneByOne(), signal)).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
  });

  it('an error of the engine comes through as it is', async () => {
    const failing = (async function* () {
      yield encodeSchema(numbers(1).schema);
      throw abortedError();
    })();
    await expect(readRowsAsJson(failing, signal)).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
