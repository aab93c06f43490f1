import { expect, test } from 'vitest';
import { parseTableView, plainView } from '../../../state/table-view.ts';
import { addressOfSavedView, linkOfView, queryOfView } from './view-link.ts';

const view = {
  ...plainView,
  refText: 'exp',
  view: 'gallery' as const,
  conditions: [{ sql: "label = 'cat'" }, { sql: 'n > 1', isOff: true }],
  sort: [{ column: 'n', desc: true }],
  columns: ['id', 'a,b'],
  rowId: '7',
  at: 40,
};

test('a link has the whole state; a saved view how the table is shown', () => {
  const link = new URL(linkOfView('clips', view, 'exp:12'), 'http://x');
  expect([link.pathname, parseTableView(link.search)]).toEqual(['/t/clips', { ...view, refText: 'exp:12' }]);
  expect(parseTableView(queryOfView(view))).toEqual({ ...view, refText: 'main', rowId: null, at: 0 });
});

test('a saved view opens as it was saved or on the newest version of its branch', () => {
  const saved = { table: 'clips', query: queryOfView(view) };
  const refOf = (at: 'pinned' | 'latest', ref: string) =>
    parseTableView(new URL(addressOfSavedView(saved, { clips: ref }, at), 'http://x').search).refText;
  expect([refOf('pinned', 'exp:12'), refOf('latest', 'exp:12'), refOf('latest', 'main:3')]).toEqual([
    'exp:12',
    'exp',
    'main',
  ]);
});
