import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AnnotationLayout } from './annotations/layout.ts';
import { ColumnRole } from './columns.ts';
import { formatFieldFacts, parseFieldFacts } from './field-facts.ts';

const entriesOf = (made: Record<string, string | null>): Map<string, string> =>
  new Map(Object.entries(made).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])));

const layout: AnnotationLayout = {
  column: 'boxes',
  many: 'list',
  unit: 'share',
  geometry: [{ kind: 'box', fields: ['bbox'], form: 'cxcywh' }],
  label: 'class',
  classes: ['cat', 'dog'],
};

it('reads the facts of a column as they were written', () => {
  const facts = fc.record({
    role: fc.constantFrom(null, ...ColumnRole.options),
    keyPosition: fc.option(fc.integer({ min: 1, max: 20 })),
    description: fc.string(),
    tags: fc.array(fc.string()),
    isHidden: fc.constantFrom(null, true, false),
    annotations: fc.constantFrom(null, { off: true as const }, layout),
    tableDescription: fc.string(),
    checks: fc.string(),
  });
  fc.assert(
    fc.property(facts, (made) => {
      expect(parseFieldFacts(entriesOf(formatFieldFacts(made)))).toEqual(made);
    }),
  );
});

it('takes odd values for not said', () => {
  const odd = new Map([
    ['curio:role', 'wizard'],
    ['curio:key', 'yes'],
    ['curio:tags', 'a, b'],
    ['curio:hidden', 'maybe'],
    ['curio:annotations', '{"column": 3}'],
  ]);
  expect(parseFieldFacts(odd)).toEqual({
    role: null,
    keyPosition: 1,
    description: '',
    tags: ['a', 'b'],
    isHidden: false,
    annotations: null,
    tableDescription: '',
    checks: '',
  });
});
