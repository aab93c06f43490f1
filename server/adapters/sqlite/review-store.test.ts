import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReviewRecord, StoredComment } from '../../ports/review-store.ts';
import type { StudioStore } from '../../ports/studio-store.ts';
import { openStudioStore } from './studio-store.ts';

let store: StudioStore;
beforeEach(() => {
  store = openStudioStore(':memory:');
});
afterEach(() => store.close());

const review = (more: Partial<ReviewRecord> = {}): Omit<ReviewRecord, 'id'> => ({
  table: 'pets',
  tableUuid: 'u1',
  from: { branch: 'exp', createdAt: '2024-05-01T10:00:00.000001Z' },
  into: { branch: 'main', createdAt: '' },
  title: 'Fix labels',
  description: '',
  author: 'ann',
  reviewers: ['bob'],
  state: 'open',
  createdAt: '2024-05-01T11:00:00.000Z',
  updatedAt: '2024-05-01T11:00:00.000Z',
  openedAtVersion: 3,
  ended: null,
  refs: null,
  merged: null,
  changes: null,
  hasPins: false,
  ...more,
});

const comment = (more: Partial<StoredComment> = {}): StoredComment => ({
  id: 'c1',
  reviewId: '1',
  replyTo: null,
  author: 'ann',
  body: 'Why?',
  mentions: ['bob'],
  at: '2024-05-01T12:00:00.000Z',
  editedAt: null,
  isDeleted: false,
  rowKey: null,
  column: null,
  fromVersion: null,
  seen: null,
  resolved: null,
  ...more,
});

describe('reviews', () => {
  test('come back as they were kept, and are numbered', () => {
    const { reviews } = store;
    const id = reviews.add(review());
    expect(reviews.get(id)).toEqual({ id: '1', ...review() });
    const ended: ReviewRecord = {
      id,
      ...review(),
      state: 'merged',
      ended: { at: '2024-05-02T00:00:00.000Z', by: 'bob' },
      refs: {
        base: { branch: 'main', version: 1 },
        from: { branch: 'exp', version: 4 },
        into: { branch: 'main', version: 2 },
      },
      merged: { version: 3, editId: 'e1', isSquashed: false, steps: [] },
      hasPins: true,
    };
    reviews.put(ended);
    expect(reviews.get(id)).toEqual(ended);
    expect(reviews.add(review())).toBe('2');
    for (const odd of ['', '0', 'one', '1.5', '-1', '99999999999999999999'])
      expect(reviews.get(odd)).toBeNull();
  });

  test('one open review per pair of branches, also where nobody looked first', () => {
    store.reviews.add(review());
    expect(() => store.reviews.add(review())).toThrow();
    store.reviews.add(review({ into: { branch: 'dev', createdAt: 'x' } }));
    store.reviews.add(review({ from: { branch: 'exp', createdAt: 'made again' } }));
  });

  test('are found by what people look for, last changed first', () => {
    const { reviews } = store;
    reviews.add(review({ title: '50% off', updatedAt: '2024-05-03' }));
    reviews.add(
      review({ table: 'cars', tableUuid: 'u2', description: 'fix the LABELS', updatedAt: '2024-05-04' }),
    );
    reviews.add(review({ state: 'closed', author: 'cem', reviewers: [], updatedAt: '2024-05-05' }));
    const found = (filter: Parameters<typeof reviews.list>[0]) => reviews.list(filter).map(({ id }) => id);
    expect(found({})).toEqual(['3', '2', '1']);
    expect(found({ limit: 1, offset: 1 })).toEqual(['2']);
    expect(found({ state: 'open' })).toEqual(['2', '1']);
    expect(found({ table: 'cars' })).toEqual(['2']);
    expect(found({ branch: 'main', tableUuid: 'u1' })).toEqual(['3', '1']);
    expect(found({ person: 'bob' })).toEqual(['2', '1']);
    expect(found({ person: 'cem' })).toEqual(['3']);
    expect(found({ text: 'labels fix' })).toEqual(['3', '2']);
    expect(found({ text: '50%' })).toEqual(['1']);
    expect(found({ text: '_' })).toEqual([]);
    expect(found({ text: "'; DROP TABLE reviews; --" })).toEqual([]);
    expect(reviews.count({ text: 'fix' })).toEqual({ open: 1, merged: 0, closed: 1 });
  });

  test('several changes are one, or none', () => {
    const { reviews } = store;
    const id = reviews.add(review());
    expect(() =>
      reviews.atomically(() => {
        reviews.addComment(comment());
        reviews.atomically(() => reviews.addScratch({ table: 'pets', branch: 'curio-pin/check-1' }));
        throw new Error('no');
      }),
    ).toThrow('no');
    expect([reviews.listComments(id), reviews.listScratch()]).toEqual([[], []]);
    reviews.atomically(() => reviews.addComment(comment()));
    expect(reviews.listComments(id)).toEqual([comment()]);
  });
});

describe('what belongs to reviews', () => {
  test('keys of rows come back as they were, nothing and null apart', () => {
    const { reviews } = store;
    reviews.add(review());
    const placed = { fromVersion: 3, seen: { digest: 'd', value: { preview: 1, isCut: false } } };
    const kept = [
      comment(),
      comment({ id: 'c2', rowKey: 'a', ...placed }),
      comment({ id: 'c3', rowKey: [1, 'b', null], column: 'label', ...placed }),
      comment({ id: 'c4', rowKey: null, ...placed }),
      comment({ id: 'c5', replyTo: 'c2' }),
    ];
    for (const each of kept) reviews.addComment(each);
    expect(reviews.listComments('1')).toEqual(kept);
    reviews.putComment({ ...kept[1]!, resolved: { by: 'bob', at: 'now' } });
    expect(reviews.countThreads(['1', '2'])).toEqual(new Map([['1', { threads: 4, unresolved: 3 }]]));
  });

  test('a person has one word, the last', () => {
    const { reviews } = store;
    reviews.add(review());
    const said = { reviewId: '1', author: 'bob', body: '', at: '2024-05-01', fromVersion: 3 };
    reviews.putVerdict({ ...said, verdict: 'approved' });
    reviews.putVerdict({ ...said, verdict: 'changes-requested', fromVersion: 4 });
    expect(reviews.listVerdicts(['1'])).toEqual([{ ...said, verdict: 'changes-requested', fromVersion: 4 }]);
    reviews.removeVerdict('1', 'bob');
    expect(reviews.listVerdicts(['1'])).toEqual([]);
  });
});
