import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChangeRecord, formatKey, parseChange, sidesOf, toRowKey } from './change.ts';
import { type DraftStorage, readDraft, writeDraft } from './choice-drafts.ts';
import {
  type ChoiceBook,
  countOpen,
  emptyBook,
  equalConflicts,
  isRestStale,
  listConflicts,
  pickOf,
  planChoose,
  planForget,
  pruneChoices,
  toMergeInput,
} from './choices.ts';
import {
  noFilter,
  parseCompareFilter,
  passesFilter,
  toggleKind,
  writeCompareFilter,
} from './compare-filter.ts';
import { planWalk } from './walk.ts';

const record = (over: Partial<ChangeRecord>): ChangeRecord => ({
  _key: 'owl',
  _rowids: { base: 7n, from: 7n, into: 7n },
  _change: 'modified',
  _columns: ['gloss'],
  _conflict: [],
  base: { id: 'owl', gloss: 'bird' },
  from: { id: 'owl', gloss: 'night bird' },
  into: { id: 'owl', gloss: 'bird' },
  ...over,
});

const conflict = (key: string, over: Partial<ChangeRecord> = {}) =>
  parseChange(
    record({ _key: key, _conflict: ['gloss'], into: { id: key, gloss: 'a bird of prey' }, ...over }),
  );

describe('parseChange', () => {
  test('reads a record whole', () => {
    expect(parseChange(record({}))).toEqual({
      id: '"owl"',
      key: 'owl',
      keyText: 'owl',
      kind: 'modified',
      columns: ['gloss'],
      conflicts: [],
      conflictKind: null,
      rowIds: { base: '7', from: '7', into: '7' },
      base: { id: 'owl', gloss: 'bird' },
      from: { id: 'owl', gloss: 'night bird' },
      into: { id: 'owl', gloss: 'bird' },
    });
  });

  test('keeps keys as the merge takes them', () => {
    expect([
      toRowKey(5n),
      toRowKey({ day: '2024', n: 3n }),
      toRowKey({ id: 'a' }),
      toRowKey(['a', 1]),
      toRowKey(null),
    ]).toEqual(['5', ['2024', '3'], 'a', ['a', 1], null]);
    expect(formatKey(['2024', null])).toBe('2024 · null');
  });

  test('names the kind of a conflict by who still has the row', () => {
    const kinds = [{}, { from: null }, { into: null }, { base: null }].map(
      (over) => conflict('owl', over).conflictKind,
    );
    expect(kinds).toEqual(['cell', 'removed-modified', 'modified-removed', 'added-added']);
  });

  test('compares with into where there is no base', () => {
    const change = parseChange(record({ base: null }));
    expect(sidesOf(change, 'two-way').before).toEqual({ id: 'owl', gloss: 'bird' });
    expect(sidesOf(change, 'three-way').before).toBeNull();
  });
});

describe('choices', () => {
  const items = listConflicts([conflict('owl'), conflict('cat'), conflict('dog', { from: null })]);

  test('a removed row is one thing to settle, cells are settled one by one', () => {
    expect(items.map(({ id, column, kind }) => ({ id, column, kind }))).toEqual([
      { id: '"owl"/gloss', column: 'gloss', kind: 'cell' },
      { id: '"cat"/gloss', column: 'gloss', kind: 'cell' },
      { id: '"dog"', column: null, kind: 'removed-modified' },
    ]);
  });

  test('become the input of the merge', () => {
    const typed = planChoose(planChoose(emptyBook, items.slice(0, 1), { value: 'an owl' }), items.slice(2), {
      take: 'into',
    });
    expect(toMergeInput(typed)).toEqual({
      choices: [
        { key: 'owl', column: 'gloss', value: 'an owl' },
        { key: 'dog', take: 'into' },
      ],
    });
    expect([countOpen(typed, items, 3), countOpen({ ...typed, rest: 'from' }, items, 300)]).toEqual([1, 0]);
    expect(pickOf({ ...emptyBook, rest: 'into' }, items[1]!)).toEqual({ take: 'into' });
  });

  test('choosing and forgetting gives the start', () => {
    fc.assert(
      fc.property(fc.subarray(items), fc.constantFrom('from', 'into', 'base'), (some, take) => {
        expect(planForget(planChoose(emptyBook, some, { take }), some)).toEqual(emptyBook);
      }),
    );
  });

  test('are dropped where the conflict has other values by now', () => {
    const book = planChoose(emptyBook, items, { take: 'from' });
    const later = listConflicts([conflict('owl'), conflict('cat', { into: { gloss: 'changed again' } })]);
    const pruned = pruneChoices(book, later, true);
    expect([Object.keys(pruned.book.entries), pruned.dropped.map(({ key }) => key)]).toEqual([
      ['"owl"/gloss'],
      ['cat', 'dog'],
    ]);
    expect(pruneChoices(book, later, false).dropped.length).toBe(1);
  });

  test('outlive the page, and a broken draft counts as none', () => {
    const cells = new Map<string, string>();
    const storage: DraftStorage = {
      getItem: (key) => cells.get(key) ?? null,
      setItem: (key, value) => void cells.set(key, value),
      removeItem: (key) => void cells.delete(key),
    };
    const place = { table: 'wonders', from: 'fix', into: 'main' };
    const book: ChoiceBook = planChoose(emptyBook, items, { value: null });
    writeDraft(storage, place, book);
    expect(readDraft(storage, place)).toEqual(book);
    expect(readDraft(storage, { ...place, from: 'other' })).toEqual(emptyBook);
    writeDraft(storage, place, emptyBook);
    expect(cells.size).toBe(0);
    for (const broken of ['{', '[]', '{"entries":{"a":1},"rest":null}']) {
      cells.set([...['curio.choices.', JSON.stringify(Object.values(place))]].join(''), broken);
      expect(readDraft(storage, place)).toEqual(emptyBook);
    }
  });
});

test('a choice for the rest holds for the heads that it was made for', () => {
  const items = listConflicts([conflict('owl')]);
  const book: ChoiceBook = { ...emptyBook, rest: 'from', restHeads: 'fix:3...main:4' };
  expect([
    isRestStale(book, items, 'fix:3...main:4'),
    isRestStale(book, items, 'fix:3...main:5'),
    isRestStale(book, [], 'fix:3...main:5'),
    isRestStale(planChoose(book, items, { take: 'into' }), items, 'fix:3...main:5'),
    isRestStale(emptyBook, items, 'fix:3...main:5'),
  ]).toEqual([false, true, false, false, false]);
});

test('equal conflicts are found, single ones and rows as a whole are not', () => {
  const one = conflict('owl', { into: { gloss: 'same' } });
  const two = conflict('cat', { into: { gloss: 'same' } });
  const gone = conflict('eel', { from: null });
  const found = equalConflicts(listConflicts([one, two, conflict('dog', { into: { gloss: 'x' } }), gone]));
  expect(found.map((items) => items.map(({ key }) => key))).toEqual([['owl', 'cat']]);
});

describe('filter', () => {
  test('survives the address', () => {
    fc.assert(
      fc.property(
        fc.subarray(['added', 'removed', 'modified'] as const),
        fc.option(fc.string({ minLength: 1 })),
        fc.boolean(),
        fc.array(
          fc
            .record({ sql: fc.string().filter((text) => text.trim() !== '') })
            .chain(({ sql }) => fc.constantFrom({ sql }, { sql, isOff: true })),
        ),
        fc.option(
          fc.oneof(
            fc.record({ column: fc.string(), before: fc.jsonValue(), after: fc.jsonValue() }),
            fc.record({ column: fc.string(), delta: fc.string() }),
          ),
        ),
        fc.option(fc.oneof(fc.string(), fc.integer(), fc.array(fc.string(), { minLength: 2 })), {
          nil: undefined,
        }),
        (kinds, column, isConflictsOnly, conditions, sent, key) => {
          const equal = JSON.parse(JSON.stringify(sent));
          const filter = { kinds: [...kinds], column, isConflictsOnly, conditions, equal, key };
          const text = writeCompareFilter(filter, new URLSearchParams('ref=x')).toString();
          expect(parseCompareFilter(new URLSearchParams(text))).toEqual(filter);
          expect(new URLSearchParams(text).get('ref')).toBe('x');
        },
      ),
    );
  });

  test('narrows by kind, column and conflict', () => {
    const change = parseChange(record({}));
    expect(
      [
        noFilter,
        { ...noFilter, kinds: ['added' as const] },
        { ...noFilter, column: 'gloss' },
        { ...noFilter, column: 'title' },
        { ...noFilter, isConflictsOnly: true },
        { ...noFilter, key: 'owl' },
        { ...noFilter, key: 'cat' },
      ].map((filter) => passesFilter(change, filter, { isEqual: () => true })),
    ).toEqual([true, false, true, false, false, true, false]);
  });

  test('choosing every kind is choosing none', () => {
    const two = toggleKind(toggleKind(noFilter, 'added'), 'removed');
    expect([two.kinds, toggleKind(two, 'modified').kinds, toggleKind(two, 'added').kinds]).toEqual([
      ['added', 'removed'],
      [],
      ['removed'],
    ]);
  });
});

test('walking stops at the ends, conflicts go round', () => {
  const changes = [
    { conflictKind: null },
    { conflictKind: 'cell' as const },
    { conflictKind: null },
    { conflictKind: 'cell' as const },
  ];
  expect([
    planWalk(changes, 3, { by: 1 }),
    planWalk(changes, 0, { by: -1 }),
    planWalk([], 0, { by: 1 }),
  ]).toEqual([3, 0, -1]);
  expect([
    planWalk(changes, 3, { by: 1, isConflictsOnly: true }),
    planWalk(changes, 1, { by: -1, isConflictsOnly: true }),
  ]).toEqual([1, 3]);
  expect(planWalk([{ conflictKind: null }], 0, { by: 1, isConflictsOnly: true })).toBe(0);
});
