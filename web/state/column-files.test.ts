import { describe, expect, test } from 'vitest';
import { fakeColumn } from '../testing/fixtures.ts';
import { acceptOf, fileProblem, maxEditBytes, mayHold, mediaColumns, wordOf } from './column-files.ts';

const file = (name: string, size: number, type: string) => ({ name, size, type });
const drag = (...types: string[]) =>
  ({ types: ['Files'], items: types.map((type) => ({ kind: 'file', type })) }) as never;

describe('what a column takes', () => {
  test('by its role', () => {
    expect([wordOf('image'), wordOf('audio'), wordOf('blob'), acceptOf('video'), acceptOf('blob')]).toEqual([
      'picture',
      'sound',
      'file',
      'video/*',
      '*/*',
    ]);
  });

  test.each([
    ['a picture', [file('a.png', 10, 'image/png')], 'image', null],
    ['a file whose type nobody knows', [file('a.jxl', 10, '')], 'image', null],
    ['any file where any will do', [file('a.pdf', 10, 'application/pdf')], 'blob', null],
    ['another kind', [file('a.txt', 10, 'text/plain')], 'image', 'a.txt is not a picture.'],
    ['nothing', [file('a.png', 0, 'image/png')], 'image', 'a.png is empty.'],
  ] as const)('%s', (_what, files, role, problem) => expect(fileProblem(files, role)).toBe(problem));

  test('not more than one edit can carry, one or all together', () => {
    expect(fileProblem([file('a.png', maxEditBytes + 1, 'image/png')], 'image')).toMatch(/a\.png has 22 MB/);
    const half = file('a.png', maxEditBytes / 2 + 1, 'image/png');
    expect(fileProblem([half, half], 'image')).toMatch(/^The 2 files have/);
  });

  test('as far as a drag shows it', () => {
    expect([
      mayHold(drag('image/png', 'image/webp'), 'image'),
      mayHold(drag('image/png', 'text/csv'), 'image'),
      mayHold(drag('text/csv'), 'blob'),
      mayHold({ types: ['text/plain'], items: [] } as never, 'blob'),
    ]).toEqual([true, false, true, false]);
  });
});

test('columns of files are those of bytes, out of sight ones left out', () => {
  const columns = [
    fakeColumn('image', 'blob'),
    fakeColumn('raw', 'binary'),
    fakeColumn('old', 'blob', { hidden: true }),
    fakeColumn('url', 'utf8'),
  ];
  expect(mediaColumns(columns).map(({ name }) => name)).toEqual(['image', 'raw']);
});
