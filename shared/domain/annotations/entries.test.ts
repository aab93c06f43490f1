import { expect, test } from 'vitest';
import { openEntries, setAt, valueAt } from './entries.ts';
import type { AnnotationLayout } from './layout.ts';

test.each(['__proto__.tall', 'constructor.prototype.tall', '__proto__', 'a.__proto__.tall'])(
  'a field called %s is one of the entry alone',
  (path) => {
    const entry: Record<string, unknown> = { a: {} };
    setAt(entry, path, 7);
    expect(valueAt(entry, path)).toBe(7);
    expect([({} as Record<string, unknown>).tall, Object.getPrototypeOf(entry)]).toEqual([
      undefined,
      Object.prototype,
    ]);
  },
);

test('a layout that came with a table changes the cells that it names, nothing else', () => {
  const layout: AnnotationLayout = {
    column: 'boxes',
    many: 'list',
    isJson: true,
    unit: 'pixel',
    geometry: [],
    label: '__proto__.label',
  };
  const entries = openEntries(() => '[{"id":1}]', layout);
  entries.set(0, '__proto__.label', 'cat');
  expect(({} as Record<string, unknown>).label).toBe(undefined);
  expect(JSON.parse(String(entries.cells().boxes))).toHaveLength(1);
});
