import { describe, expect, test } from 'vitest';
import { canSetBack, describeEvent, describeScope, diffWords, isShownBy, showValue } from './model.ts';
import { fakeCellStep, fakeEvent } from './testing/fake-history.ts';

describe('texts by word', () => {
  test('the parts give old and new', () => {
    const before = 'a large amphitheater in Rome, begun about AD 75';
    const after = 'a large amphitheater in Rome, begun about AD 70';
    const parts = diffWords(before, after) ?? [];
    const join = (leave: string) =>
      parts
        .filter(({ state }) => state !== leave)
        .map(({ text }) => text)
        .join('');
    expect([join('added'), join('removed')]).toEqual([before, after]);
  });
  test.each([
    ['short ones', 'cat', 'dog'],
    ['ones that share nothing', 'a large amphitheater in Rome', 'zwei kleine Hunde am Waldrand'],
    ['what is no text', 3, 'a text that is long enough to be compared'],
  ])('not for %s', (_what, before, after) => expect(diffWords(before, after)).toBeNull());
});

test.each([
  ['utf8', 'cat', 'cat'],
  ['bool', false, 'false'],
  ['list<utf8>', ['a', 'b'], '["a","b"]'],
  ['fixed_size_list<float32>[512]', [0.12345, 1, 2, 3, 4], '[0.123, 1, 2, 3, …] · 512 numbers'],
])('a value of %s is shown', (type, value, shown) =>
  expect(showValue({ type, isCut: false }, value)).toBe(shown),
);

test.each([
  [fakeEvent({ message: 'Fix' }), 'Fix'],
  [fakeEvent({ message: null, kind: 'merge', mergedFrom: { branch: 'exp', version: 3 } }), 'Merged exp'],
  [
    fakeEvent({ message: null, kind: 'rebase', mergedFrom: { branch: 'main', version: 3 } }),
    'Brought up to date with main',
  ],
  [fakeEvent({ message: null, author: null }), 'Changed by another program'],
  [fakeEvent({ message: null }), 'Edited'],
])('%#: an event says what it was', (event, text) => expect(describeEvent(event)).toBe(text));

test('the scope says how far it was looked back', () => {
  const lookedBackTo = { branch: 'exp', version: 4 };
  expect(
    (['begin', 'cleaned-up', 'more'] as const).map((end) =>
      describeScope({ end, lookedBackTo, events: [fakeEvent()] }),
    ),
  ).toEqual([
    '1 change · all of its history',
    '1 change · versions before exp:4 were cleaned up',
    '1 change · looked back to exp:4',
  ]);
});

test('only a changed cell that was there before can be set back', () => {
  expect([
    canSetBack({ change: 'modified' }, { hadColumn: true }),
    canSetBack({ change: 'modified' }, { hadColumn: false }),
    canSetBack({ change: 'added' }, { hadColumn: true }),
  ]).toEqual([true, false, false]);
});

test('a merge shows the same change of a cell, not another one', () => {
  const cell = fakeCellStep();
  expect([
    isShownBy(fakeEvent(), fakeEvent(), cell),
    isShownBy(fakeEvent(), fakeEvent(), { ...cell, before: 'wolf' }),
    isShownBy(fakeEvent({ cells: [] }), fakeEvent(), cell),
  ]).toEqual([true, false, false]);
});
