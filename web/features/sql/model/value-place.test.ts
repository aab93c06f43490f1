import { expect, test } from 'vitest';
import { valuePlaceOf } from './value-place.ts';

const at = (text: string) => {
  const caret = text.indexOf('|');
  const sql = text.replace('|', '');
  const place = valuePlaceOf(sql, caret);
  return place && [place.path.join('.'), sql.slice(place.start, place.end)];
};

test.each([
  ["SELECT * FROM clips WHERE label = '|", ['label', "'"]],
  ["SELECT * FROM clips WHERE label = 'ca|t' AND x", ['label', "'cat'"]],
  ['SELECT * FROM clips c WHERE c."La bel" <> \'|\'', ['c.La bel', "''"]],
  ["SELECT * FROM clips WHERE label != '|'", ['label', "''"]],
  ["FROM clips WHERE label NOT IN ('cat', 'it''s', 'd|')", ['label', "'d'"]],
  ["FROM clips WHERE label = 'ca|\nGROUP BY 1", ['label', "'ca"]],
  ['FROM clips WHERE label = |', ['label', '']],
  ['FROM clips WHERE label =|', ['label', '']],
  ['FROM clips c WHERE c.label = ca| AND x', ['c.label', 'ca']],
  ["FROM clips WHERE label IN ('cat', |", ['label', '']],
  ["FROM clips WHERE list_contains(tags, '|')", ['tags', "''"]],
  ['FROM clips WHERE list_contains(c.tags, |)', ['c.tags', '']],
])('%s', (text, found) => {
  expect(at(text)).toEqual(found);
});

test.each([
  "SELECT 'a|'",
  "SELECT lower('|')",
  "WHERE label = 'cat'|",
  'SELECT la|bel',
  "WHERE x IN (SELECT '|')",
  'SELECT label, |',
  'FROM clips WHERE label = cat |',
  'FROM clips WHERE label | = 3',
  'WHERE label = 12|',
  '|',
])('nothing at %s', (text) => {
  expect(at(text)).toBeNull();
});
