import type { CellStep, RowEvent, RowHistory } from '#shared/api/history.ts';

export const fakeCellStep = (over: Partial<CellStep> = {}): CellStep => ({
  column: 'label',
  formerly: null,
  type: 'utf8',
  role: 'label',
  hadColumn: true,
  before: 'cat',
  after: 'lion',
  isCut: false,
  ...over,
});

export const fakeEvent = (over: Partial<RowEvent> = {}): RowEvent => ({
  ref: { branch: 'fix', version: 12 },
  change: 'modified',
  at: '2026-01-01T00:00:00Z',
  author: 'ann',
  message: 'It is a lion',
  kind: 'edit',
  editId: 'e1',
  review: null,
  mergedFrom: null,
  before: { ref: { branch: 'fix', version: 11 }, rowId: '10' },
  after: { ref: { branch: 'fix', version: 12 }, rowId: '10' },
  cells: [fakeCellStep()],
  moreCells: 0,
  settled: [],
  note: null,
  origin: [],
  ...over,
});

export const fakeRowHistory = (events: RowEvent[], over: Partial<RowHistory> = {}): RowHistory => ({
  ref: { branch: 'fix', version: 12 },
  key: 'petra',
  isThere: true,
  events,
  cursor: null,
  lookedBackTo: { branch: 'main', version: 1 },
  end: 'begin',
  ...over,
});
