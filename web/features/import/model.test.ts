import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertTableName } from '#shared/domain/names.ts';
import {
  checkDraft,
  emptyDraft,
  type ImportDraft,
  optionsFor,
  type PickedFile,
  planDraft,
  suggestTableName,
  toImportBody,
  toImportFacts,
} from './model.ts';
import { buildImportForm } from './upload.ts';

const picked = (...paths: string[]): PickedFile[] =>
  paths.map((path) => ({ path, file: new File(['x'], path) }));
const draft = (over: Partial<ImportDraft>): ImportDraft => ({ ...emptyDraft, ...over });
const server = (serverPaths: string) => draft({ origin: 'server', serverPaths });

describe('suggestTableName', () => {
  test.each([
    [draft({ files: picked('Flights 3M.parquet') }), 'Flights_3M'],
    [draft({ files: picked('wonders/images/a.webp', 'wonders/meta.jsonl') }), 'wonders'],
    [draft({ files: picked('été.csv.gz') }), 'ete'],
    [draft({ files: picked('clips.csv') }), 'clips_2'],
    [server('/data/2024/*.parquet'), '2024'],
    [server('s3://bucket/sets/images/'), 'images'],
    [server('https://example.org/a/movies.json?raw=1'), 'movies'],
    [draft({}), ''],
  ])('%#: %s', (input, name) => {
    expect(suggestTableName(input, ['clips'])).toBe(name);
  });

  test('always can stand', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }).filter((path) => !/[*{]/.test(path)),
        (path) => {
          const name = suggestTableName(draft({ files: picked(path) }), []);
          if (name !== '') assertTableName(name);
        },
      ),
    );
  });
});

test('the name follows the files until a person types one', () => {
  const first = planDraft(emptyDraft, { files: picked('a.csv') }, []);
  const typed = planDraft(first, { name: 'mine' }, []);
  expect([
    first.name,
    typed.name,
    planDraft(typed, { files: picked('b.csv') }, []).name,
    planDraft(planDraft(typed, { name: '' }, []), { files: picked('b.csv') }, []).name,
  ]).toEqual(['a', 'mine', 'mine', 'b']);
});

test('problems stand at their field', () => {
  expect(checkDraft(draft({}), [])).toEqual({
    name: 'Give the table a name.',
    sources: 'Choose files or a folder.',
    delimiter: null,
  });
  expect(checkDraft(draft({ name: 'clips', files: picked('a.csv'), delimiter: ';;' }), ['clips'])).toEqual({
    name: 'There is a table “clips” already.',
    sources: null,
    delimiter: 'A delimiter is one character.',
  });
  expect(checkDraft(draft({ name: 'a b', files: picked('a.csv') }), []).name).toContain(
    'it has other characters',
  );
});

test('options are offered and sent where they make sense', () => {
  const csv = draft({
    name: 'a',
    files: picked('a.csv'),
    delimiter: '\\t',
    hasHeader: false,
    metadata: 'x.json',
    key: 'id, day',
  });
  expect([optionsFor(csv), toImportFacts(csv)]).toEqual([
    { isText: true, isFolder: false },
    { name: 'a', key: ['id', 'day'], options: { delimiter: '\t', hasHeader: false } },
  ]);
  const folder = draft({ name: 'a', files: picked('a/b.png'), metadata: ' m.jsonl ', delimiter: ';' });
  expect([optionsFor(folder), toImportFacts(folder)]).toEqual([
    { isText: false, isFolder: true },
    { name: 'a', options: { metadata: 'm.jsonl' } },
  ]);
  expect(toImportFacts(draft({ name: 'a', files: picked('a.parquet') }))).toEqual({ name: 'a' });
});

test('the body tells paths from addresses', () => {
  expect(toImportBody({ ...server('/data/a.csv\n\n https://x.org/b.csv \ns3://b/c'), name: 'a' })).toEqual({
    name: 'a',
    sources: [{ path: '/data/a.csv' }, { url: 'https://x.org/b.csv' }, { url: 's3://b/c' }],
  });
});

test('the form keeps the place of files below their folder', () => {
  const form = buildImportForm(draft({ name: 'a', files: picked('f/b.png', 'f/c/d.png'), key: 'path' }));
  expect([...form.keys()]).toEqual(['name', 'key', 'file', 'file']);
  expect(form.getAll('file').map((file) => (file as File).name)).toEqual(['f/b.png', 'f/c/d.png']);
});
