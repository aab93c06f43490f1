import { describe, expect, test } from 'vitest';
import type { Session } from '#shared/api/session.ts';
import type { ColumnInfo } from '#shared/domain/columns.ts';
import { placeOfCaret, relationsInText } from './relations-in-text.ts';
import { planSuggestions } from './suggestions.ts';

const branch = (name: string) => ({
  name,
  version: 5,
  parent: null,
  updatedAt: '',
  isProtected: name === 'main',
});
const tables = [
  { name: 'clips', rows: 1200, description: 'short films', branches: [branch('main'), branch('exp')] },
  { name: 'odd table', rows: 3, description: '', branches: [branch('main')] },
] as unknown as Session['tables'];

const column = (name: string, type: string): ColumnInfo => ({
  name,
  type,
  nullable: true,
  role: 'other',
  description: '',
  tags: [],
});
const columnsOf: Record<string, ColumnInfo[]> = {
  clips: [
    column('id', 'int64'),
    column('box', 'struct<x: int32, y: int32>'),
    column('media', 'blob'),
    column('Select', 'utf8'),
  ],
  'clips@exp': [column('id', 'int64'), column('score', 'float64')],
};
const functions = [{ name: 'avg', kind: 'aggregate', description: 'the mean', parameters: ['x'] }];

const labels = (text: string, kinds: string[] = ['table', 'ref', 'column', 'alias', 'function']) => {
  const caret = text.indexOf('|');
  const sql = text.replace('|', '');
  const relations = relationsInText(sql);
  const columns = relations.map(({ name }) => columnsOf[name] ?? []);
  return planSuggestions(placeOfCaret(sql, caret), { tables, relations, columns, functions })
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ insert }) => insert);
};

describe('planSuggestions', () => {
  test('tables and refs after FROM', () => {
    expect(labels('select * from |')).toEqual(['clips', '"clips@exp"', '"odd table"']);
  });

  test('the same after a name and an @ without quotes, in place of both', () => {
    const sql = 'select * from clips@ex';
    expect(placeOfCaret(sql, sql.length)).toEqual({ kind: 'table', path: [], start: 14, isQuoted: false });
    expect(placeOfCaret('select a@b', 10).kind).toBe('column');
  });

  test('columns of what FROM names, then aliases and functions', () => {
    expect(labels('select | from clips c join "clips@exp" d using (id)')).toEqual([
      'id',
      'box',
      'media',
      '"Select"',
      'score',
      'c',
      'd',
      'avg($0)',
    ]);
    expect(labels('select |', ['column'])).toEqual([]);
  });

  test('members of a relation, of a struct and of a blob', () => {
    expect(labels('select d.| from clips c join "clips@exp" d')).toEqual(['id', 'score']);
    expect(labels('select box.| from clips')).toEqual(['x', 'y']);
    expect(labels('select c.box.| from clips c')).toEqual(['x', 'y']);
    expect(labels('select media.| from clips')).toEqual(['kind', 'sizeBytes', 'contentType', 'hash', 'url']);
    expect(labels('select nothing.| from clips')).toEqual([]);
  });

  test('keywords, but not inside texts', () => {
    expect(labels('sel|', ['keyword'])).toContain('select');
    expect(labels("select '|'", ['keyword'])).toEqual([]);
  });
});
