import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ColumnRole } from '#shared/domain/columns.ts';
import { diffNumbers } from '#shared/domain/number-delta.ts';
import { gridColumnsOf } from '../../grid/index.ts';
import { diffLists } from './list-diff.ts';
import { diffFields } from './struct-diff.ts';
import { diffText } from './text-diff.ts';
import { describeShift, formatSpan } from './time-diff.ts';
import { planValueDiff } from './value-diff.ts';
import { valueToken } from './value-token.ts';
import { diffVectors } from './vector-diff.ts';

const columnOf = (type: string, role: ColumnRole = 'other') =>
  gridColumnsOf([{ name: 'a', type, role, nullable: true, description: '', tags: [] }])[0]!;

describe('diffText', () => {
  test('marks the words that changed', () => {
    expect(diffText('someone who plies a trade', 'a tool that grips').isRewrite).toBe(true);
    expect(diffText('a communist nation in Asia', 'a stone wall in Asia').parts).toEqual([
      { state: 'same', text: 'a ' },
      { state: 'removed', text: 'communist' },
      { state: 'added', text: 'stone' },
      { state: 'same', text: ' ' },
      { state: 'removed', text: 'nation' },
      { state: 'added', text: 'wall' },
      { state: 'same', text: ' in Asia' },
    ]);
  });

  test('gives both texts back for any two texts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('cat', 'kitty', ' ', '\n', '，', '猫', 'é', '', '🙂')),
        fc.array(fc.constantFrom('cat', 'dog', ' ', '猫', '犬', '')),
        (a, b) => {
          const [before, after] = [a.join(''), b.join('')];
          const { parts } = diffText(before, after);
          const join = (skip: string) =>
            parts
              .filter(({ state }) => state !== skip)
              .map(({ text }) => text)
              .join('');
          expect([join('added'), join('removed')]).toEqual([before, after]);
        },
      ),
    );
  });

  test('does not compare texts past the limit', () => {
    expect(diffText('x '.repeat(30_000), 'y')).toMatchObject({ isTooLarge: true, isRewrite: true });
  });
});

describe('diffLists', () => {
  test('names the elements that came and went', () => {
    expect(diffLists(['cat', 'pet'], ['cat', 'kitty'])).toMatchObject({
      added: 1,
      removed: 1,
      isReordered: false,
    });
    expect(diffLists(['a', 'b'], ['b', 'a'])).toMatchObject({ isReordered: true });
  });

  test('gives both lists back for any two lists', () => {
    const lists = fc.array(
      fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 }), fc.constant(null)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const { items } = diffLists(before, after);
        expect(items.filter(({ state }) => state !== 'added').map(({ value }) => value)).toEqual(before);
        expect(items.filter(({ state }) => state !== 'removed').map(({ value }) => value)).toEqual(after);
      }),
    );
  });
});

describe('diffNumbers', () => {
  test('is exact for whole numbers past 2^53 and quiet about binary rounding', () => {
    expect(diffNumbers(9007199254740993n, 9007199254740995n)).toMatchObject({ delta: '2', direction: 'up' });
    expect(diffNumbers('9007199254740993', '9007199254740990')).toMatchObject({
      delta: '-3',
      direction: 'down',
    });
    expect(diffNumbers(0.1, 0.3)).toEqual({ delta: '0.2', direction: 'up', relative: expect.closeTo(2) });
    expect(diffNumbers(Number.NaN, 1)).toEqual({ delta: null, direction: 'none', relative: null });
    expect(diffNumbers(0, 5).relative).toBeNull();
  });

  test('keeps the sign of the difference', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (a, b) => {
        expect(diffNumbers(a, b).delta).toBe(String(b - a));
      }),
    );
  });
});

describe('diffFields', () => {
  test('lists the leaves that differ, by path', () => {
    expect(
      diffFields({ box: { x: 1, y: 2 }, tags: ['a'] }, { box: { x: 1, y: 3 }, tags: ['a', 'b'], ok: true }),
    ).toEqual([
      { path: 'box.y', state: 'modified', before: 2, after: 3 },
      { path: 'tags[1]', state: 'added', before: undefined, after: 'b' },
      { path: 'ok', state: 'added', before: undefined, after: true },
    ]);
  });

  test('is empty exactly for equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(diffFields(a, b).length === 0).toBe(valueToken(a) === valueToken(b));
        expect(diffFields(a, a)).toEqual([]);
      }),
    );
  });
});

describe('diffVectors', () => {
  test('measures angle, distance and components', () => {
    expect(diffVectors(new Float32Array([1, 0]), new Float32Array([0, 1]))).toMatchObject({
      cosine: 0,
      changed: 2,
    });
    expect(diffVectors([1, 2], [1, 2])).toMatchObject({ cosine: expect.closeTo(1), distance: 0, changed: 0 });
    expect(diffVectors([1], [1, 2])).toMatchObject({
      cosine: null,
      distance: null,
      sizeBefore: 1,
      sizeAfter: 2,
    });
    expect(diffVectors([0], [1]).cosine).toBeNull();
  });
});

describe('times', () => {
  test('say how far they moved', () => {
    expect(describeShift(0, 2 * 86_400_000 + 3 * 3_600_000, 'timestamp[ms]')).toBe('2 d 3 h later');
    expect(describeShift(90_000_000n, 0n, 'timestamp[us]')).toBe('1 min 30 s earlier');
    expect(formatSpan(86_400_000 + 500)).toBe('1 d');
    expect(formatSpan(0)).toBe('0 ms');
  });
});

describe('planValueDiff', () => {
  test('treats null apart from empty', () => {
    expect(planValueDiff(columnOf('utf8', 'text'), null, '')).toEqual({ kind: 'filled', after: '' });
    expect(planValueDiff(columnOf('int64'), 3n, null)).toEqual({ kind: 'emptied', before: 3n });
  });

  test.each([
    ['utf8', 'text', 'a black cat', 'a white cat', { kind: 'text', diff: { isRewrite: false } }],
    [
      'utf8',
      'json',
      '{"a":1}',
      '{"a":2}',
      { kind: 'fields', fields: [{ path: 'a', state: 'modified', before: 1, after: 2 }] },
    ],
    [
      'struct<x: int64, y: utf8>',
      'other',
      { x: 1n, y: 'a' },
      { x: 2n, y: 'a' },
      { kind: 'fields', fields: [{ path: 'x', state: 'modified', before: '1', after: '2' }] },
    ],
    ['int64', 'number', 9007199254740993n, 9007199254740995n, { kind: 'number', diff: { delta: '2' } }],
    [
      'decimal128(10, 2)',
      'number',
      12345n,
      12350n,
      { kind: 'number', diff: { delta: '0.05', direction: 'up' } },
    ],
    ['float32', 'number', Math.fround(0.1), Math.fround(0.3), { kind: 'number', diff: { delta: '0.2' } }],
    ['timestamp[us, UTC]', 'time', 0n, 3_600_000_000n, { kind: 'time', shift: '1 h later' }],
    ['list<utf8>', 'label', ['a'], ['a', 'b'], { kind: 'list', diff: { added: 1, removed: 0 } }],
    [
      'fixed_size_list<float32>[16]',
      'vector',
      new Float32Array(16).fill(1),
      new Float32Array(16).fill(2),
      { kind: 'vector', diff: { cosine: expect.closeTo(1), changed: 16 } },
    ],
    ['blob', 'image', { kind: 'image' }, { kind: 'image' }, { kind: 'media' }],
    ['bool', 'other', true, false, { kind: 'plain', before: true, after: false }],
  ] as const)('%s as %s', (type, role, before, after, expected) => {
    expect(planValueDiff(columnOf(type, role), before, after)).toMatchObject(expected);
  });
});

describe('valueToken', () => {
  test('tells values apart that JSON would not', () => {
    const values = [
      null,
      'NaN',
      Number.NaN,
      Infinity,
      -0,
      0,
      1n,
      '1',
      1,
      [1],
      ['1'],
      { a: 1 },
      { a: 1n },
      new Date(0),
      '',
      new Map([['a', 1]]),
    ];
    expect(new Set(values.map(valueToken)).size).toBe(values.length);
  });

  test('does not depend on the order of fields', () => {
    expect(valueToken({ a: 1, b: 2 })).toBe(valueToken({ b: 2, a: 1 }));
  });
});
