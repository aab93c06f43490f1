import { field, int64, list, struct, uint64, utf8 } from '@uwdata/flechette';
import type { DiffRowsBody, DiffSummary } from '#shared/api/edits.ts';
import type { Session } from '#shared/api/session.ts';
import { wire } from '#shared/api/wire.ts';
import { arrowBytes } from '../../../testing/arrow-bytes.ts';

export interface FakeRow {
  id: string;
  gloss: string | null;
  views: bigint | null;
}

export interface FakeChange {
  key: string;
  change: 'added' | 'removed' | 'modified';
  columns?: string[];
  conflict?: string[];
  base: FakeRow | null;
  from: FakeRow | null;
  into: FakeRow | null;
}

const row = struct([field('id', utf8()), field('gloss', utf8()), field('views', int64())]);
const texts = list(utf8());
const rowIds = struct([field('base', uint64()), field('from', uint64()), field('into', uint64())]);

export const fakeSummary = (over: Partial<DiffSummary> = {}): DiffSummary => ({
  base: { branch: 'main', version: 9 },
  from: { branch: 'fix', version: 12 },
  into: { branch: 'main', version: 10 },
  mode: 'three-way',
  rows: { added: 0, removed: 0, modified: 0 },
  columns: { added: [], removed: [], changed: [], facts: [] },
  cells: {},
  conflicts: { rows: 0, cells: 0 },
  mergeable: true,
  notices: [],
  ...over,
});

/** The summary that belongs to some changes. */
export function summaryOf(changes: readonly FakeChange[], over: Partial<DiffSummary> = {}): DiffSummary {
  const count = (kind: FakeChange['change']) => changes.filter(({ change }) => change === kind).length;
  const cells: Record<string, number> = {};
  for (const name of changes.flatMap(({ columns = [] }) => columns)) cells[name] = (cells[name] ?? 0) + 1;
  const inConflict = changes.filter(({ conflict = [] }) => conflict.length > 0);
  return fakeSummary({
    rows: { added: count('added'), removed: count('removed'), modified: count('modified') },
    cells,
    conflicts: {
      rows: inConflict.length,
      cells: inConflict.reduce((sum, { conflict = [] }) => sum + conflict.length, 0),
    },
    mergeable: inConflict.length === 0,
    ...over,
  });
}

const idOf = (value: FakeRow | null, index: number): bigint | null => (value ? BigInt(index) : null);

/** Answers `diff/rows` as the server does: filter, window, total and summary. */
export function answerDiffRows(
  changes: readonly FakeChange[],
  summary: DiffSummary,
  body: DiffRowsBody,
): Uint8Array {
  const passing = changes.filter(
    (one) =>
      (!body.change || body.change.includes(one.change)) &&
      (!body.column || one.columns?.includes(body.column)) &&
      (!body.conflictsOnly || (one.conflict ?? []).length > 0) &&
      (!body.keys || body.keys.includes(one.key)) &&
      (!body.equal || one.columns?.includes(body.equal.column)),
  );
  const offset = body.offset ?? 0;
  const shown = passing.slice(offset, offset + (body.limit ?? passing.length));
  return arrowBytes({
    columns: {
      _key: shown.map(({ key }) => key),
      _rowids: shown.map(({ base, from, into }, index) => ({
        base: idOf(base, index),
        from: idOf(from, index),
        into: idOf(into, index),
      })),
      _change: shown.map(({ change }) => change),
      _columns: shown.map(({ columns }) => columns ?? []),
      _conflict: shown.map(({ conflict }) => conflict ?? []),
      base: shown.map(({ base }) => base),
      from: shown.map(({ from }) => from),
      into: shown.map(({ into }) => into),
    },
    types: {
      _key: utf8(),
      _rowids: rowIds,
      _change: utf8(),
      _columns: texts,
      _conflict: texts,
      base: row,
      from: row,
      into: row,
    },
    metadata: {
      [wire.total]: String(passing.length),
      [wire.summary]: JSON.stringify(summary),
      [wire.elapsedMs]: '12',
    },
  });
}

export const fakeSession = (over: Partial<Session> = {}): Session => ({
  version: '0.1.0',
  principal: { name: 'you', kind: 'local' },
  may: [],
  jobs: [],
  notices: [],
  tables: [
    {
      name: 'wonders',
      rows: 218,
      bytes: 1,
      key: ['id'],
      description: '',
      updatedAt: '2026-01-01T00:00:00Z',
      preview: null,
      notices: [],
      branches: [
        { name: 'main', version: 10, parent: null, updatedAt: '2026-01-01T00:00:00Z', isProtected: true },
        {
          name: 'fix',
          version: 12,
          parent: { branch: 'main', version: 9 },
          updatedAt: '2026-01-01T00:00:00Z',
          isProtected: false,
        },
      ],
    },
  ],
  ...over,
});

const at = (id: string, gloss: string | null, views: bigint | null = 1n): FakeRow => ({ id, gloss, views });

/** Three plain changes and two conflicts. */
export const someChanges: FakeChange[] = [
  {
    key: 'cat',
    change: 'modified',
    columns: ['gloss'],
    base: at('cat', 'a black animal that hunts at night and sleeps by day'),
    from: at('cat', 'a white animal that hunts at night and sleeps by day'),
    into: at('cat', 'a black animal that hunts at night and sleeps by day'),
  },
  { key: 'dog', change: 'added', base: null, from: at('dog', 'a loyal one', 5n), into: null },
  {
    key: 'eel',
    change: 'removed',
    base: at('eel', 'a long fish'),
    from: null,
    into: at('eel', 'a long fish'),
  },
  {
    key: 'fox',
    change: 'modified',
    columns: ['gloss'],
    conflict: ['gloss'],
    base: at('fox', 'red'),
    from: at('fox', 'orange'),
    into: at('fox', 'crimson'),
  },
  {
    key: 'gnu',
    change: 'modified',
    columns: ['views'],
    conflict: ['views'],
    base: at('gnu', 'big', 1n),
    from: at('gnu', 'big', 2n),
    into: at('gnu', 'big', 3n),
  },
];

export const plainChanges = someChanges.slice(0, 3);
