import { expect, test } from 'vitest';
import { assertPlainJson } from './plain-json.ts';

test.each([
  ['null'],
  ['"text"'],
  ['{"a":[1,{"b":null}],"constructor":{"prototype":1}}'],
  ['['.repeat(150) + ']'.repeat(150)],
])('%.40s is plain', (text) => {
  expect(() => assertPlainJson(JSON.parse(text))).not.toThrow();
});

test.each([
  ['['.repeat(50_000) + ']'.repeat(50_000), /nested deeper/],
  [`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, /nested deeper/],
  ['{"values":{"label":"cat","__proto__":"dog"}}', /“__proto__”/],
])('%.40s is refused', (text, message) => {
  expect(() => assertPlainJson(JSON.parse(text))).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(message) }),
  );
});
