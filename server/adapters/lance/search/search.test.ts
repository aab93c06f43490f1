import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrow } from '../../../arrow/arrow.ts';
import { makeArrowTable } from '../../../testing/columns.ts';
import { makeTestReader, type TestReader } from '../../../testing/reader.ts';
import { makeTable, mediaColumns } from '../../../testing/tables.ts';
import { createIndex } from '../indexes.ts';
import { parseSearchTerms } from './search-terms.ts';

let t: TestReader;

type SearchInput = Omit<Parameters<TestReader['reader']['search']>[0], 'table' | 'ref' | 'k'> & {
  k?: number;
};

async function search(table: string, input: SearchInput) {
  const { chunks } = await t.reader.search({ table, ref: await t.head(table), k: 10, ...input }, t.context);
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const result = arrow.tableFromIPC(Buffer.concat(parts));
  const rows = result.toArray().map((row) => row.toJSON() as Record<string, unknown>);
  return {
    rows,
    ids: rows.map(({ id }) => Number(id)),
    facts: Object.fromEntries(result.schema.metadata),
    columns: result.schema.fields.map(({ name }) => name),
  };
}

const refused = async (table: string, input: SearchInput) =>
  search(table, input).then(
    () => 'accepted',
    (error: { code: string; message: string; hint?: string }) =>
      `${error.code}: ${error.message} ${error.hint ?? ''}`,
  );

const half = (value: number): number => [0x0000, 0x3c00, 0x4000, 0x4200][value]!;
const points: (number[] | null)[] = [[1, 0], [2, 0.1], [0, 1], [1, 1], null, [-1, 0], [3, 3], [0, 0]];

const texts = {
  title: [
    'The quick brown fox',
    'A fox in the snow',
    'Running dogs run',
    null,
    'Café au lait',
    'Elephant herd',
    'quick QUICK quick',
    'fox',
  ],
  gloss: ['jumps', 'an animal', 'a dog that runs', 'fox and fox', 'coffee', 'large animals', 'fast', ''],
};

beforeAll(async () => {
  t = await makeTestReader();
  const id = { type: 'int64', values: Array.from({ length: 8 }, (_, i) => BigInt(i)) };
  await makeTable(t.home, 'vectors', {
    id,
    f32: { type: 'fixed_size_list<float32>[2]', values: points },
    group: { type: 'utf8', values: ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'] },
  });
  await makeTable(t.home, 'kinds', {
    id,
    f64: { type: 'fixed_size_list<float64>[2]', values: points },
    f16: {
      type: 'fixed_size_list<float16>[3]',
      values: points.map((point, i) => point && [half(i % 4), half(1), half(2)]),
    },
  });
  await makeTable(t.home, 'texts', {
    id,
    title: { type: 'utf8', values: texts.title, metadata: { 'curio:role': 'text' } },
    gloss: { type: 'utf8', values: texts.gloss, metadata: { 'curio:role': 'text' } },
    tags: {
      type: 'list<utf8>',
      values: [['red'], ['white', 'winter'], [], null, ['hot'], ['grey'], [], ['red fox']],
    },
    color: {
      type: 'dictionary<int8, utf8>',
      values: ['red', 'white', 'red', null, 'brown', 'grey', 'red', 'red'],
      metadata: { 'curio:role': 'url' },
    },
    vec: { type: 'fixed_size_list<float32>[2]', values: points },
  });
  await makeTable(t.home, 'media', {
    ...mediaColumns,
    vec: {
      type: 'fixed_size_list<float32>[2]',
      values: [
        [1, 0],
        [0, 1],
        [1, 1],
        [2, 1],
      ],
    },
  });
  await makeTable(t.home, 'plain', { id: { type: 'int64', values: [1n] } });
});
afterAll(() => t.home.remove());

describe('a search by vectors', () => {
  it('finds the most similar rows of a row, without the row itself', async () => {
    const { rows, ids, facts, columns } = await search('vectors', { mode: 'vector', rowId: 0 });
    expect(ids[0]).toBe(1);
    expect(ids.slice(1, 3).sort()).toEqual([3, 6]);
    expect(ids).not.toContain(0);
    expect(ids).not.toContain(4);
    expect(columns).toEqual([
      'id',
      'f32',
      'group',
      '_rowid',
      '_distance',
      '_score',
      '_vector_rank',
      '_text_rank',
    ]);
    expect(rows.map(({ _vector_rank }) => _vector_rank)).toEqual(rows.map((_row, at) => at + 1));
    expect(rows[0]).toMatchObject({ _score: null, _text_rank: null });
    const distances = rows.map(({ _distance }) => Number(_distance));
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    expect(facts).toMatchObject({
      'curio.ref': 'main:1',
      'curio.exact': 'true',
      'curio.indexCoverage': '0',
      'curio.metric': 'cosine',
      'curio.engine': 'lance',
      'curio.scope': `nearest ${ids.length} of all 8 rows`,
      'curio.total': String(ids.length),
    });
  });

  it('takes a vector, a metric, a filter and a number of rows', async () => {
    expect((await search('vectors', { mode: 'vector', vector: [0, 2], k: 1 })).ids).toEqual([2]);
    expect((await search('vectors', { mode: 'vector', vector: [3, 2.9], metric: 'l2', k: 1 })).ids).toEqual([
      6,
    ]);
    const filtered = await search('vectors', {
      mode: 'vector',
      vector: [1, 0],
      where: "`group` = 'b'",
      columns: ['group'],
    });
    expect(filtered.columns).toEqual([
      'group',
      '_rowid',
      '_distance',
      '_score',
      '_vector_rank',
      '_text_rank',
    ]);
    expect(filtered.rows.map(({ _rowid }) => Number(_rowid)).slice(0, 3)).toEqual([1, 3, 5]);
    expect(filtered.facts['curio.scope']).toContain('of the 4 rows that match the filter');
    expect((await search('vectors', { mode: 'vector', rowId: 0, where: '_rowid in (1, 2)' })).ids).toEqual([
      1, 2,
    ]);
    expect((await search('vectors', { mode: 'vector', rowId: 0, where: 'false' })).rows).toEqual([]);
  });

  it('works on 16-bit and 64-bit floats, and finds the column by its name or by the length of the vector', async () => {
    expect((await search('kinds', { mode: 'vector', column: 'f64', rowId: '0', k: 1 })).ids).toEqual([1]);
    expect((await search('kinds', { mode: 'vector', column: 'f16', rowId: 1, k: 1 })).ids).toEqual([5]);
    const first = await search('kinds', { mode: 'vector', rowId: 0, k: 1 });
    expect([first.ids, first.facts['curio.column']]).toEqual([[1], 'f64']);
    expect((await search('kinds', { mode: 'vector', vector: [1, 0], k: 1 })).ids).toEqual([0]);
    expect((await search('kinds', { mode: 'vector', vector: [1, 1, 2], k: 1 })).ids).toEqual([1]);
  });

  it('says what is missing or wrong', async () => {
    expect(await refused('kinds', { mode: 'vector', vector: [1, 2, 3, 4] })).toContain(
      'BAD_REQUEST: The vector has 4 numbers, which is the length of no column of vectors here. There are “f64” (2) and “f16” (3)',
    );
    expect(await refused('kinds', { mode: 'vector', column: 'f64', vector: [1, 2, 3] })).toContain(
      'BAD_REQUEST: The vector has 3 numbers, but those of “f64” have 2',
    );
    expect(await refused('vectors', { mode: 'vector', rowId: 4 })).toContain(
      'BAD_REQUEST: The row 4 has no vector in “f32”',
    );
    expect(await refused('vectors', { mode: 'vector', rowId: 99 })).toContain(
      'NOT_FOUND: The row 99 does not exist',
    );
    expect(await refused('vectors', { mode: 'vector', vector: [0, 0] })).toContain(
      'BAD_REQUEST: A vector of zeros',
    );
    expect(await refused('vectors', { mode: 'vector', vector: [1e30, 0] })).toContain(
      'BAD_REQUEST: The vector has numbers so large',
    );
    expect(await refused('vectors', { mode: 'vector', vector: [1, 0], column: 'group' })).toContain(
      'BAD_REQUEST: “group” holds no vectors',
    );
    expect(await refused('vectors', { mode: 'vector', vector: [1, 0], column: 'f31' })).toContain('SQL_BIND');
    expect(await refused('vectors', { mode: 'vector', vector: [1, 0], columns: ['nope'] })).toContain(
      'SQL_BIND',
    );
    expect(await refused('plain', { mode: 'vector', vector: [1, 0] })).toContain(
      'UNSUPPORTED: This table has no column of vectors',
    );
  });

  it('sends media as cells without their bytes', async () => {
    const { rows } = await search('media', { mode: 'vector', rowId: 0, k: 2 });
    expect(rows.map(({ id }) => Number(id))).toEqual([4, 3]);
    expect(JSON.parse(JSON.stringify(rows[0]!.image))).toMatchObject({ sizeBytes: 0 });
    expect(rows[1]!.picture).toBeNull();
  });

  it('uses the index of a large table, tells its coverage, and goes around it where a filter is selective', async () => {
    const count = 22_000;
    let seed = 1;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return Math.fround(seed / 2_147_483_647 - 0.5);
    };
    const values = Array.from({ length: count }, () => Array.from({ length: 8 }, random));
    const table = await makeTable(t.home, 'large', {
      id: { type: 'int64', values: BigInt64Array.from({ length: count }, (_, i) => BigInt(i)) },
      vec: { type: 'fixed_size_list<float32>[8]', values },
    });
    const exact = await search('large', { mode: 'vector', rowId: 5, k: 5 });
    expect(exact.facts).toMatchObject({ 'curio.exact': 'true', 'curio.indexCoverage': '0' });
    await createIndex(t.home, { table: 'large', branch: 'main', column: 'vec', kind: 'vector' }, t.context);
    await table.add(
      makeArrowTable({
        id: { type: 'int64', values: [77_777n] },
        vec: { type: 'fixed_size_list<float32>[8]', values: [values[5]] },
      }),
    );
    const found = await search('large', { mode: 'vector', rowId: 5, k: 5 });
    expect(found.facts['curio.exact']).toBe('false');
    expect(Number(found.facts['curio.indexCoverage'])).toBeCloseTo(count / (count + 1), 6);
    expect(found.ids[0]).toBe(77_777);
    expect(found.ids.filter((id) => exact.ids.includes(id)).length).toBeGreaterThanOrEqual(3);
    const filtered = await search('large', { mode: 'vector', rowId: 5, k: 5, where: 'id % 1000 = 3' });
    expect(filtered.facts['curio.exact']).toBe('true');
    expect(filtered.rows).toHaveLength(5);
    expect((await search('large', { mode: 'vector', rowId: 5, k: 5, metric: 'l2' })).facts).toMatchObject({
      'curio.exact': 'true',
      'curio.metric': 'l2',
    });
  });
});

describe('a search by words', () => {
  const byWords = (text: string, more: Partial<SearchInput> = {}) =>
    search('texts', { mode: 'text', text, ...more });

  it('ranks texts, labels and lists without an index, inside of words too, whatever case and accents', async () => {
    const { rows, ids, facts } = await byWords('fox');
    expect(ids.slice().sort()).toEqual([0, 1, 3, 7]);
    expect(ids[0]).toBe(7);
    expect(rows[0]).toMatchObject({ _distance: null, _vector_rank: null, _text_rank: 1 });
    expect(Number(rows[0]!._score)).toBeGreaterThan(Number(rows.at(-1)!._score));
    expect(facts).toMatchObject({
      'curio.exact': 'true',
      'curio.indexCoverage': '0',
      'curio.total': '4',
      'curio.scope': 'best 4 of 4 rows that match the words',
    });
    expect((await byWords('cafe')).ids).toEqual([4]);
    expect((await byWords('ELEPH')).ids).toEqual([5]);
    expect((await byWords('winter')).ids).toEqual([1]);
    expect((await byWords('fox', { k: 2 })).facts['curio.scope']).toBe(
      'best 2 of 4 rows that match the words',
    );
  });

  it('takes phrases, columns, filters and odd signs', async () => {
    expect((await byWords('"brown fox"')).ids).toEqual([0]);
    expect((await byWords('"fox brown"')).ids).toEqual([]);
    expect((await byWords('fox', { textColumns: ['gloss'] })).ids).toEqual([3]);
    expect((await byWords('fox', { where: 'id > 1' })).ids.sort()).toEqual([3, 7]);
    expect((await byWords('red', { textColumns: ['color'] })).ids.sort()).toEqual([0, 2, 6, 7]);
    for (const odd of ['"(', '\\', '*', "'; drop", '[a-z', '((((', '.*', '$^', '"', '-', '…'])
      await byWords(odd);
    expect((await byWords('.*')).ids).toEqual([]);
    expect((await byWords('zzz')).rows).toEqual([]);
  });

  it('refuses columns that hold no texts', async () => {
    expect(await refused('texts', { mode: 'text', text: 'x', textColumns: ['vec'] })).toContain(
      'BAD_REQUEST: “vec” holds no texts',
    );
    expect(await refused('texts', { mode: 'text', text: 'x', textColumns: ['nope'] })).toContain('SQL_BIND');
    expect(await refused('plain', { mode: 'text', text: 'x' })).toContain(
      'UNSUPPORTED: This table has no column of texts',
    );
  });

  it('fuses words and vectors, with both ranks', async () => {
    const { rows, ids, facts } = await search('texts', { mode: 'hybrid', text: 'fox', rowId: 0, k: 5 });
    expect(ids).not.toContain(0);
    expect(ids[0]).toBe(1);
    expect(rows[0]).toMatchObject({ _vector_rank: 1 });
    expect(rows.every(({ _vector_rank, _text_rank }) => _vector_rank !== null || _text_rank !== null)).toBe(
      true,
    );
    for (const { _score, _vector_rank, _text_rank } of rows) {
      const part = (rank: unknown) => (rank === null ? 0 : 1 / (60 + Number(rank)));
      expect(Number(_score)).toBeCloseTo(part(_vector_rank) + part(_text_rank), 10);
    }
    expect(facts).toMatchObject({ 'curio.metric': 'cosine', 'curio.exact': 'true' });
  });

  it('uses text indexes where there are some, and tells what they cover', async () => {
    const copy = await makeTable(t.home, 'indexed', {
      id: { type: 'int64', values: Array.from({ length: 8 }, (_, i) => BigInt(i)) },
      title: { type: 'utf8', values: texts.title, metadata: { 'curio:role': 'text' } },
      gloss: { type: 'utf8', values: texts.gloss, metadata: { 'curio:role': 'text' } },
    });
    const index = (column: string) =>
      createIndex(t.home, { table: 'indexed', branch: 'main', column, kind: 'text' }, t.context);
    const find = (text: string) => search('indexed', { mode: 'text', text });
    await index('title');
    expect((await find('fox')).ids.slice().sort()).toEqual([0, 1, 3, 7]);
    expect((await find('fox')).facts['curio.indexCoverage']).toBe('0');
    await index('gloss');
    expect((await find('run')).ids).toEqual([2]);
    expect((await find('"quick brown"')).ids).toEqual([0]);
    expect((await find('fox coffee')).ids.slice().sort()).toEqual([0, 1, 3, 4, 7]);
    expect((await find('fox')).facts['curio.indexCoverage']).toBe('1');
    const loose = await find('elep');
    expect(loose.ids).toEqual([5]);
    expect(loose.facts['curio.scope']).toContain('inside of others');
    await copy.add(
      makeArrowTable({
        id: { type: 'int64', values: [8n] },
        title: { type: 'utf8', values: ['another fox'] },
        gloss: { type: 'utf8', values: [null] },
      }),
    );
    const more = await find('fox');
    expect(more.ids).toContain(8);
    expect(Number(more.facts['curio.indexCoverage'])).toBeCloseTo(8 / 9, 6);
  });
});

describe('search terms', () => {
  it('are words and quoted phrases', () => {
    expect(parseSearchTerms('  the "Great  Wall" of, China! c++ 猫').map(({ text }) => text)).toEqual([
      'the',
      'Great Wall',
      'of',
      'China',
      'c++',
      '猫',
    ]);
    expect(parseSearchTerms('!!!').map(({ text }) => text)).toEqual(['!!!']);
    expect(parseSearchTerms('  ')).toEqual([]);
  });

  it('have patterns that match themselves and nothing of their signs', () => {
    for (const text of ['a.b', 'c++', '(x', 'a|b', 'éclair', '[z]', 'a\\b', '^$']) {
      const [term] = parseSearchTerms(`"${text}"`);
      expect(new RegExp(term!.pattern, 'iu').test(text)).toBe(true);
      expect(new RegExp(term!.pattern, 'iu').test('unrelated')).toBe(false);
    }
  });
});
